/* The nearest of some words to a mistyped one. */
#ifndef ZF_CLI_SUGGEST_H
#define ZF_CLI_SUGGEST_H

typedef struct cli_suggestion {
    const char *word; /* as typed; set this, the rest to 0 */
    const char *best; /* NULL: nothing is near enough */
    int distance;
} cli_suggestion;

/* Takes candidate into account. */
void cli_consider(cli_suggestion *suggestion, const char *candidate);

/* Edits between two words: insertions, deletions, replacements and swaps of
   neighbours, each 1. Words over 63 bytes are as far as can be. */
int cli_edit_distance(const char *a, const char *b);

#endif
