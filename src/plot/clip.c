#include "plot/clip.h"

#include <math.h>

bool zf_clip_holds(zf_box box, zf_point p)
{
    return p.x >= box.x && p.x <= box.x + box.width && p.y >= box.y && p.y <= box.y + box.height;
}

/* Liang and Barsky's method. */
bool zf_clip_segment(zf_box box, zf_point *a, zf_point *b)
{
    double dx = b->x - a->x, dy = b->y - a->y, enter = 0, leave = 1;
    double away[] = {-dx, dx, -dy, dy};
    double room[] = {a->x - box.x, box.x + box.width - a->x, a->y - box.y,
                     box.y + box.height - a->y};
    for (int i = 0; i < 4; i++) {
        if (away[i] == 0 && room[i] < 0) return false;
        if (away[i] < 0) enter = fmax(enter, room[i] / away[i]);
        if (away[i] > 0) leave = fmin(leave, room[i] / away[i]);
    }
    if (enter > leave) return false;
    zf_point start = *a;
    *a = (zf_point){start.x + enter * dx, start.y + enter * dy};
    *b = (zf_point){start.x + leave * dx, start.y + leave * dy};
    return true;
}
