/* The blanket that a model gives a set of targets, as the options of a command ask. */
#ifndef ZF_CLI_BLANKET_INPUT_H
#define ZF_CLI_BLANKET_INPUT_H

#include "model_input.h"

/* Where these options stand after the first of them. */
enum { CLI_THRESHOLD, CLI_TOP, CLI_BLANKET_OPTIONS };

#define CLI_BLANKET_OPTION_LIST(first)                                                             \
    [(first) + CLI_THRESHOLD] = {"threshold",                                                      \
                                 .type = CLI_REAL,                                                 \
                                 .placeholder = "G",                                               \
                                 .fallback = "0.1",                                                \
                                 .least = 0,                                                       \
                                 .most = 1,                                                        \
                                 .help = "A feature whose gate is at least this is a member."},    \
               [(first) + CLI_TOP] = {"top",                                                       \
                                      .type = CLI_WHOLE,                                           \
                                      .placeholder = "K",                                          \
                                      .least = 1,                                                  \
                                      .most = 1 << 20,                                             \
                                      .otherwise = "as the threshold says",                        \
                                      .help = "The K features with the largest gates instead, "    \
                                              "whatever these are."}

typedef struct cli_member {
    int feature;
    float gate;
} cli_member;

typedef struct cli_members {
    cli_member *list; /* all features but the targets, most needed first; for free() */
    int n;            /* of these, the members of the blanket */
    int n_others;     /* in the list */
} cli_members;

/* What a model of a file is asked. */
typedef struct cli_asked {
    const zf_blanket *model;
    const char *path;
    const int32_t *targets;
    int n_targets;
} cli_asked;

/* CLI_USAGE: both options are given, or what zf_blanket_query refuses. */
cli_exit cli_ask_blanket(cli_members *out, const cli_asked *asked, const cli_value *first);

#endif
