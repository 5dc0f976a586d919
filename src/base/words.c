#include "base/words.h"

#include <stdio.h>

zf_small zf_thousands(uint64_t n)
{
    char digits[24];
    zf_small count;
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) count.text[used++] = ',';
        count.text[used++] = digits[i];
    }
    count.text[used] = '\0';
    return count;
}

zf_small zf_plural(uint64_t n, const char *noun)
{
    zf_small plural;
    snprintf(plural.text, sizeof plural.text, "%.16s %.12s%s", zf_thousands(n).text, noun,
             n == 1 ? "" : "s");
    return plural;
}
