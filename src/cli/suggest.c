#include "suggest.h"

#include "zeroflow/nearest.h"

void cli_consider(cli_suggestion *suggestion, const char *candidate)
{
    const char *const both[] = {suggestion->best ? suggestion->best : candidate, candidate};
    suggestion->best = zf_nearest(suggestion->word, both, 2);
}
