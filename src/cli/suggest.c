/* Typos: the restricted Damerau-Levenshtein distance, three rows at a time. */
#include "suggest.h"

#include <limits.h>
#include <string.h>

enum { LONGEST = 63 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

int cli_edit_distance(const char *a, const char *b)
{
    int n = (int)strnlen(a, LONGEST + 1), m = (int)strnlen(b, LONGEST + 1);
    if (n > LONGEST || m > LONGEST) return INT_MAX;
    int rows[3][LONGEST + 1];
    for (int j = 0; j <= m; j++) rows[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *now = rows[i % 3], *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            int replaced = before[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = least(replaced, least(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], earlier[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

void cli_consider(cli_suggestion *suggestion, const char *candidate)
{
    size_t typed = strlen(suggestion->word);
    int distance = cli_edit_distance(suggestion->word, candidate);
    /* An abbreviation is a likelier slip than any edit. */
    if (typed >= 2 && strncmp(suggestion->word, candidate, typed) == 0) distance = 0;
    int limit = typed < 3 ? 1 : 1 + (int)typed / 4;
    if (distance > limit || (suggestion->best && distance >= suggestion->distance)) return;
    suggestion->best = candidate;
    suggestion->distance = distance;
}
