/* zeroflow docs: what the build installs beside the command, and the examples
   of all commands for the tests. Hidden: people meet the results. */
#include <string.h>

#include "command.h"
#include "documents.h"

enum { KIND };

static const char *const kinds[] = {"man", "bash", "zsh", "fish", "examples", "files", NULL};

static const zf_option arguments[] = {
    [KIND] =
        {"KIND", .type = ZF_OPTION_CHOICE, .choices = kinds,
         .help =
             "man: the manual page; bash, zsh, fish: the completion for that shell; examples: the "
             "example of every command, one per line; files: which files each command reads and "
             "writes."},
    {NULL},
};

static const cli_example examples[] = {
    {"zeroflow docs bash > zeroflow.bash", "The completion that bash can source."},
    {NULL},
};

static cli_exit print_examples(FILE *out)
{
    for (int i = 0; cli_commands[i]; i++)
        for (const cli_example *e = cli_commands[i]->examples; e && e->line; e++)
            fprintf(out, "%s\n", e->line);
    return CLI_DONE;
}

/* "fit --output written": what becomes of the files that each command names. */
static void print_uses(FILE *out, const cli_command *command, const zf_option *options,
                       const char *dashes)
{
    static const char *const uses[ZF_OPTION_COMMAND + 1] = {[ZF_OPTION_FILE] = "read",
                                                            [ZF_OPTION_IMAGES] = "read",
                                                            [ZF_OPTION_OUTPUT] = "written",
                                                            [ZF_OPTION_PATHS] = "made-into-names",
                                                            [ZF_OPTION_FOLDER] = "written-into"};
    for (int i = 0; options && options[i].name; i++)
        if (uses[options[i].type])
            fprintf(out, "%s %s%s %s\n", cli_name_of(command), dashes, options[i].name,
                    uses[options[i].type]);
}

static cli_exit print_files(FILE *out)
{
    for (int i = 0; cli_commands[i]; i++) {
        print_uses(out, cli_commands[i], cli_arguments_of(cli_commands[i]), "");
        print_uses(out, cli_commands[i], cli_options_of(cli_commands[i]), "--");
    }
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    const char *kind = call->arguments[KIND].text;
    if (strcmp(kind, "man") == 0) return cli_print_manual(call->out);
    if (strcmp(kind, "bash") == 0) return cli_print_bash(call->out);
    if (strcmp(kind, "zsh") == 0) return cli_print_zsh(call->out);
    if (strcmp(kind, "fish") == 0) return cli_print_fish(call->out);
    if (strcmp(kind, "files") == 0) return print_files(call->out);
    return print_examples(call->out);
}

const cli_command cli_command_docs = {
    .name = "docs",
    .summary = "print the manual page or a shell completion",
    .description = "Prints the documents that are generated from the same source as --help, to be "
                   "installed by the build.",
    .arguments = arguments,
    .examples = examples,
    .hidden = true,
    .run = run,
};
