#include "known_sample.h"

#include <math.h>

void known_sample(double *to, int rows, int which, int kind)
{
    for (int i = 1; i <= rows; i++) {
        double x = sin((double)i * i + which), y = cos(3.0 * i * i + 2 * which);
        if (which > 0 && kind == SHIFTED) x += 1;
        if (which > 0 && kind == SHEARED) y = 0.2 * y + x;
        *to++ = (float)x;
        *to++ = (float)y;
    }
}
