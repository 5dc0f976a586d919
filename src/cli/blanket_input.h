/* The blanket that a model gives a set of targets, as the options of a command ask. */
#ifndef ZF_CLI_BLANKET_INPUT_H
#define ZF_CLI_BLANKET_INPUT_H

#include "fdr.h"
#include "model_input.h"

/* Where these options stand after the first of them. */
enum { CLI_FDR, CLI_THRESHOLD, CLI_TOP, CLI_BLANKET_OPTIONS };

#define CLI_BLANKET_OPTION_LIST(first)                                                             \
    [(first) +                                                                                     \
        CLI_FDR] = CLI_MODEL_FDR_OPTION,                                                           \
        [(first) + CLI_THRESHOLD] = {"threshold",                                                  \
                                     .type = CLI_REAL,                                             \
                                     .placeholder = "G",                                           \
                                     .least = 0,                                                   \
                                     .most = 1,                                                    \
                                     .otherwise = "as the evidence says; without it, 0.1",         \
                                     .help = "Raw gates instead: a variable whose gate is at "     \
                                             "least this is a member."},                           \
        [(first) + CLI_TOP] = {"top",                                                              \
                               .type = CLI_WHOLE,                                                  \
                               .placeholder = "K",                                                 \
                               .least = 1,                                                         \
                               .most = 1 << 20,                                                    \
                               .otherwise = "as the evidence says",                                \
                               .help = "Raw gates instead: the K variables with the largest, "     \
                                       "whatever these are."}

/* By what the members were chosen. */
typedef enum cli_rule { CLI_BY_EVIDENCE, CLI_BY_THRESHOLD, CLI_BY_TOP } cli_rule;

typedef struct cli_members {
    zf_member *list; /* all variables but the targets, members first; for free(). Without evidence
                        in the model only variables and gates are set */
    int n;           /* of these, the members of the blanket */
    int n_others;    /* in the list */
    cli_rule rule;
    double limit; /* the false discovery rate, or the least gate */
} cli_members;

/* What a model of a file is asked. */
typedef struct cli_asked {
    const zf_blanket *model;
    const char *path;
    const int32_t *targets;
    int n_targets;
} cli_asked;

/* CLI_USAGE: options that exclude each other, or what zf_blanket_query refuses. */
cli_exit cli_ask_blanket(cli_members *out, const cli_asked *asked, const cli_value *first);

#endif
