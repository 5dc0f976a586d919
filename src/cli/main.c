/* The command `zeroflow`: finds the command, runs it, prints its result or the
   one line that says what went wrong. Nothing else prints errors or exits. */
#include <stdlib.h>

#include "command.h"
#include "gather.h"
#include "help.h"
#include "job/answer.h"
#include "output.h"
#include "parse.h"
#include "run_job.h"
#include "text.h"

static cli_exit print_version(const cli_call *call)
{
    if (call->json)
        return cli_print_json(call, json_pack("{s:o}", "version", zf_answer_text(zf_version())));
    fprintf(call->out, "zeroflow %s\n", zf_version());
    return CLI_DONE;
}

static cli_exit run(cli_call *call, bool version)
{
    if (version && !call->help) return print_version(call);
    if (call->help && call->command) return cli_print_help(call->out, call->command);
    if (call->help) return cli_print_overview(call->out);
    if (!call->command)
        return cli_fail(CLI_USAGE, "no command given; see zeroflow --help, or try zeroflow demo");
    return call->command->job ? cli_run_job(call) : call->command->run(call);
}

static void print_failure(const cli_call *call)
{
    if (!cli_message()[0]) return; /* the reader of our output has gone: no one to tell */
    fputs("zeroflow: ", stderr);
    if (call->command) fprintf(stderr, "%s: ", cli_name_of(call->command));
    cli_clean(stderr, cli_message());
    fputc('\n', stderr);
}

int main(int argc, char **argv)
{
    cli_call call;
    bool version = false;
    cli_gathered text;
    zf_option_prefix_set("--");
    cli_text_begin();
    cli_output_begin();
    cli_exit exit = cli_parse(&call, &version, argc, argv);
    call.out = cli_gather(&text);
    if (!call.out && exit == CLI_DONE) exit = cli_fail(CLI_FAILED, "out of memory");
    if (exit == CLI_DONE) exit = run(&call, version);
    if (!cli_gather_end(&text) && exit == CLI_DONE) exit = cli_fail(CLI_FAILED, "out of memory");
    if (exit == CLI_DONE) exit = cli_output_end(text.text, text.length);
    if (exit != CLI_DONE) print_failure(&call);
    cli_call_free(&call);
    free(text.text);
    return (int)exit;
}
