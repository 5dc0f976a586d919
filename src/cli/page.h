/* Where a study of src/study writes its text. */
#ifndef ZF_CLI_PAGE_H
#define ZF_CLI_PAGE_H

#include "command.h"
#include "study/study.h"
#include "terminal.h"
#include "text.h"

static inline study_page cli_page(const cli_call *call)
{
    return (study_page){.out = call->out,
                        .bold = cli_bold(),
                        .plain = cli_plain(),
                        .utf8 = cli_utf8(),
                        .clean = cli_clean};
}

#endif
