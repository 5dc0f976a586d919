/* Models as the commands that ask them see them: loading, and variables by name. */
#ifndef ZF_CLI_MODEL_INPUT_H
#define ZF_CLI_MODEL_INPUT_H

#include "name_input.h"
#include "zeroflow/blanket.h"

#define CLI_MODEL_ARGUMENT_HELP "A model that zeroflow fit has written."

/* Why a model cannot decide, and what that means, in words. */
#define CLI_NO_EVIDENCE    "the model holds no evidence (zeroflow fit adds it from 30 rows on)"
#define CLI_NO_EVIDENCE_SO "so that nobody can say which gates are chance"

/* CLI_USAGE: --fdr is given, and the model holds no evidence. */
cli_exit cli_need_evidence(const zf_blanket *model, const cli_value *fdr);

/* The variables of a model. */
cli_names cli_model_names(const zf_blanket *model);

/* The variables that a list of names means (cli_find_names). */
cli_exit cli_find_variables(int32_t **targets, int *n, const zf_blanket *model,
                            const cli_value *names, const char *label);

#endif
