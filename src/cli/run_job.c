#include "run_job.h"

#include <stdlib.h>

#include "output.h"
#include "progress.h"
#include "text.h"

static cli_exit set_seed(const cli_call *call)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)call->seed);
    return cli_check(zf_options_set(call->options, "seed", text));
}

static cli_exit print_json(const cli_call *call, const zf_result *result)
{
    char *json;
    CLI_TRY(cli_check(zf_result_json(&json, result)));
    cli_clean_json(call->out, json);
    fputc('\n', call->out);
    zf_free(json);
    return CLI_DONE;
}

static cli_exit print(const cli_call *call, const zf_result *result)
{
    size_t n;
    const char *document = zf_result_document(result, &n);
    if (document) {
        cli_print_data(call, document, n);
        return CLI_DONE;
    }
    if (call->json) return print_json(call, result);
    call->command->print(call, zf_options_values(call->options), zf_result_of(result));
    return CLI_DONE;
}

static cli_exit run_in(zf_context *context, const cli_call *call)
{
    cli_progress progress;
    zf_result *result = NULL;
    const cli_command *command = call->command;
    zf_context_set_report(context, cli_progress_report(&progress));
    cli_progress_begin(&progress, call);
    zf_status status = zf_run_job(&result, context, call->options);
    cli_progress_end(&progress);
    cli_exit exit = cli_check(status);
    if (status == ZF_OK) exit = print(call, result);
    if (status == ZF_EINTERRUPT && result && command->interrupted)
        exit = command->interrupted(call, zf_options_values(call->options), zf_result_of(result));
    zf_result_free(result);
    return exit;
}

cli_exit cli_run_job(const cli_call *call)
{
    zf_context *context;
    const cli_command *command = call->command;
    if (command->check) CLI_TRY(command->check(call, zf_options_values(call->options)));
    CLI_TRY(set_seed(call));
    CLI_TRY(cli_check(zf_context_new(&context, call->threads)));
    zf_context_set_quiet(context, call->quiet);
    cli_exit exit = run_in(context, call);
    zf_context_free(context);
    return exit;
}
