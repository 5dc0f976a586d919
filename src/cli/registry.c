/* The list of commands, the options of every command, and the facts that all
   commands share. */
#include <string.h>

#include "command.h"
#include "suggest.h"

#define CLI_COMMAND(name) extern const cli_command cli_command_##name;
#include "commands.def"
#undef CLI_COMMAND

#define CLI_COMMAND(name) &cli_command_##name,
const cli_command *const cli_commands[] = {
#include "commands.def"
    NULL,
};
#undef CLI_COMMAND

const zf_option cli_global_options[CLI_GLOBALS + 1] = {
    [CLI_SEED] =
        {"seed", .type = ZF_OPTION_WHOLE, .placeholder = "N", .fallback = "0",
         .most = (double)(UINT64_C(1) << 53),
         .help =
             "Seed of all random numbers: the same seed gives the same result, bit for bit, with "
             "any number of threads."},
    [CLI_THREADS] = {"threads", .type = ZF_OPTION_WHOLE, .placeholder = "N",
                     .otherwise = "all processors", .least = 1, .most = 1024,
                     .help = "Number of threads."},
    [CLI_JSON] = {"json", .help = "Print one JSON object instead of text."},
    [CLI_QUIET] =
        {"quiet", 'q',
         .help =
             "Show no progress, notes or suggestions on standard error; warnings and errors stay."},
    [CLI_HELP] = {"help", 'h', .help = "Show this help and exit."},
    [CLI_GLOBALS] = {NULL},
};

const zf_option cli_top_options[] = {
    {"version", .help = "Show the version and exit."},
    {NULL},
};

const char *const cli_exit_meanings[] = {
    "0",   "Done.",
    "1",   "Failed while running, for example because a disk is full.",
    "2",   "Wrong usage: an unknown command or option, or an invalid value.",
    "3",   "A file cannot be used: unreadable, malformed, or not what the command needs.",
    "130", "Interrupted; what was learnt so far is saved.",
    NULL,
};

const char *const cli_environment[] = {
    "NO_COLOR",
    "If set and not empty, output has no colours.",
    "TERM",
    "If \"dumb\", progress is shown as plain lines instead of a bar.",
    "TMPDIR",
    "Where to save a model that cannot be written where requested; /tmp if unset.",
    "ZEROFLOW_ISA",
    "Best instruction set to use: baseline, avx2 or avx512. Default: the best that the "
    "processor has.",
    "ZEROFLOW_PRODUCTS",
    "If \"exact\", image networks train with 24-bit products on processors with AMX too, "
    "where 16-bit products are twice as fast.",
    NULL,
};

const char *cli_name_of(const cli_command *command)
{
    return command->job ? command->job->name : command->name;
}

const char *cli_summary_of(const cli_command *command)
{
    return command->job ? command->job->summary : command->summary;
}

const char *cli_description_of(const cli_command *command)
{
    return command->job ? command->job->description : command->description;
}

const zf_option *cli_arguments_of(const cli_command *command)
{
    return command->job ? command->job->arguments : command->arguments;
}

const zf_option *cli_options_of(const cli_command *command)
{
    return command->job ? command->job->options : command->options;
}

const cli_command *cli_find_command(const char *name)
{
    for (int i = 0; cli_commands[i]; i++)
        if (strcmp(cli_name_of(cli_commands[i]), name) == 0) return cli_commands[i];
    return NULL;
}

cli_exit cli_unknown_command(const char *name)
{
    cli_suggestion near = {.word = name};
    for (int i = 0; cli_commands[i]; i++)
        if (!cli_commands[i]->hidden) cli_consider(&near, cli_name_of(cli_commands[i]));
    if (near.best)
        return cli_fail(CLI_USAGE, "unknown command \"%s\"; did you mean %s?", name, near.best);
    return cli_fail(CLI_USAGE, "unknown command \"%s\"; see zeroflow --help", name);
}
