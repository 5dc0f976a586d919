/* The option --fdr: at which false discovery rate something is decided. */
#ifndef ZF_CLI_FDR_H
#define ZF_CLI_FDR_H

#include "command.h"

/* The beginning of the option; its default and help follow. */
#define CLI_FDR_OPTION "fdr", .type = CLI_REAL, .placeholder = "Q", .most = 1, .between = true

/* The option of what asks a model. */
#define CLI_MODEL_FDR_OPTION                                                                       \
    {                                                                                              \
        CLI_FDR_OPTION, .fallback = "0.1",                                                         \
                        .help = "The share of false edges to expect among those decided on, by "   \
                                "the evidence in the model."                                       \
    }

#endif
