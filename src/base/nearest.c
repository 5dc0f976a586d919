/* The restricted Damerau-Levenshtein distance, three rows at a time. */
#include "zeroflow/nearest.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 63 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static int distance(const char *a, const char *b)
{
    int n = (int)strnlen(a, LONGEST + 1), m = (int)strnlen(b, LONGEST + 1);
    if (n > LONGEST || m > LONGEST) return INT_MAX;
    int rows[3][LONGEST + 1];
    for (int j = 0; j <= m; j++) rows[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *now = rows[i % 3], *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            int replaced = before[j - 1] + !same(a[i - 1], b[j - 1]);
            now[j] = least(replaced, least(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                now[j] = least(now[j], earlier[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

const char *zf_nearest(const char *word, const char *const *names, size_t n)
{
    size_t typed = strlen(word);
    int limit = typed < 3 ? 1 : 1 + (int)(typed / 4), best = limit + 1;
    const char *found = NULL;
    for (size_t i = 0; i < n; i++) {
        int edits = distance(word, names[i]);
        if (typed >= 2 && strncasecmp(word, names[i], typed) == 0) edits = 0;
        if (edits >= best) continue;
        best = edits;
        found = names[i];
    }
    return found;
}
