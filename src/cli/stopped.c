#include "stopped.h"

#include <stdlib.h>

#include "gather.h"
#include "progress.h"

cli_exit cli_training_stopped(const cli_call *call, const zf_saving *saving)
{
    cli_gathered resume;
    if (!saving->stopped) return cli_fail(CLI_INTERRUPTED, "interrupted");
    cli_fail(CLI_INTERRUPTED, "%s", zf_error());
    if (!zf_saving_can_resume(saving)) return CLI_INTERRUPTED;
    if (cli_gather(&resume)) cli_print_resume(resume.out, call);
    if (cli_gather_end(&resume))
        cli_fail(CLI_INTERRUPTED, "%s; continue with: %s", zf_error(), resume.text);
    free(resume.text);
    return CLI_INTERRUPTED;
}
