#include "base/words.h"

#include <stdio.h>

zf_small zf_count(uint64_t n)
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

zf_small zf_duration(double seconds)
{
    zf_small duration;
    if (!(seconds >= 0 && seconds < 360000000)) {
        snprintf(duration.text, sizeof duration.text, "?");
        return duration;
    }
    long long s = (long long)(seconds + 0.5);
    if (s < 3600)
        snprintf(duration.text, sizeof duration.text, "%lld:%02lld", s / 60, s % 60);
    else
        snprintf(duration.text, sizeof duration.text, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60,
                 s % 60);
    return duration;
}

zf_small zf_plural(uint64_t n, const char *noun)
{
    zf_small plural;
    snprintf(plural.text, sizeof plural.text, "%.16s %.12s%s", zf_count(n).text, noun,
             n == 1 ? "" : "s");
    return plural;
}
