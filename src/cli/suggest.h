/* The nearest of some words to a mistyped one, which come one at a time. */
#ifndef ZF_CLI_SUGGEST_H
#define ZF_CLI_SUGGEST_H

typedef struct cli_suggestion {
    const char *word; /* as typed; set this, the rest to 0 */
    const char *best; /* NULL: nothing is near enough */
} cli_suggestion;

/* Takes candidate into account. */
void cli_consider(cli_suggestion *suggestion, const char *candidate);

#endif
