/* The text of --help, from the descriptors, wrapped to the terminal. */
#include "help.h"

#include <string.h>
#include <unistd.h>

#include "parse.h"
#include "terminal.h"
#include "text.h"

enum { INDENT = 2, NAMES = 26, NARROWEST = 50, WIDEST = 90 };

static int page_width(void)
{
    int columns = cli_columns(STDOUT_FILENO);
    return columns < NARROWEST ? NARROWEST : columns > WIDEST ? WIDEST : columns;
}

static void heading(FILE *out, const char *text)
{
    fprintf(out, "\n%s%s%s\n", cli_bold(), text, cli_plain());
}

void cli_print_usage(FILE *out, const cli_command *command)
{
    fputs("[OPTIONS]", out);
    for (int i = 0; i < zf_option_count(cli_arguments_of(command)); i++)
        fprintf(out, cli_arguments_of(command)[i].optional ? " [%s]" : " %s",
                cli_arguments_of(command)[i].name);
}

/* "-o, --output FILE", "    --json" */
static void name_option(char *name, size_t size, const zf_option *option)
{
    char letter[] = {'-', option->letter, ',', ' ', '\0'};
    snprintf(name, size, "%s--%s%s%s", option->letter ? letter : "    ", option->name,
             option->placeholder ? " " : "", option->placeholder ? option->placeholder : "");
}

cli_default cli_default_text(const zf_option *option, const cli_defaults *defaults, int at)
{
    cli_default text = {""};
    size_t size = sizeof text.text;
    const cli_value *value = defaults && defaults->values ? &defaults->values[at] : NULL;
    if (option->otherwise)
        zf_write_options(text.text, size, option->otherwise);
    else if (option->fallback)
        snprintf(text.text, size, "%s", option->fallback);
    else if (defaults && defaults->options)
        zf_option_text(text.text, size, option, zf_options_values(defaults->options));
    else if (value && value->set && option->type == ZF_OPTION_WHOLE)
        snprintf(text.text, size, "%llu", (unsigned long long)value->whole);
    else if (value && value->set && option->type == ZF_OPTION_REAL)
        snprintf(text.text, size, "%g", value->real);
    return text;
}

/* Help with its options written out. */
typedef struct written {
    char text[4096];
} written;

static written write_out(const char *help)
{
    written w = {.text = ""};
    zf_write_options(w.text, sizeof w.text, help);
    return w;
}

/* name, then the help beside it or, if the name is long, below it. */
static void entry(FILE *out, const char *name, const char *help)
{
    int used = INDENT + (int)strlen(name);
    fprintf(out, "%*s%s", INDENT, "", name);
    if (used + 2 > NAMES) {
        fputc('\n', out);
        used = 0;
    }
    fprintf(out, "%*s", NAMES - used, "");
    cli_wrap(out, write_out(help).text, NAMES, page_width());
}

static void print_option(FILE *out, const zf_option *option, const cli_defaults *defaults, int at)
{
    char name[80], help[1024];
    name_option(name, sizeof name, option);
    cli_default without = cli_default_text(option, defaults, at);
    snprintf(help, sizeof help, without.text[0] ? "%s (default: %s)" : "%s", option->help,
             without.text);
    entry(out, name, help);
}

static void print_options(FILE *out, const zf_option *options, const cli_defaults *defaults)
{
    for (int i = 0; options && options[i].name; i++) print_option(out, &options[i], defaults, i);
}

static void print_pairs(FILE *out, const char *const *pairs)
{
    for (; pairs[0]; pairs += 2) entry(out, pairs[0], pairs[1]);
}

static void print_examples(FILE *out, const cli_example *examples)
{
    for (; examples && examples->line; examples++) {
        fprintf(out, "%*s%s\n%*s", INDENT, "", examples->line, 3 * INDENT, "");
        cli_wrap(out, examples->what, 3 * INDENT, page_width());
    }
}

cli_exit cli_print_help(FILE *out, const cli_command *command)
{
    cli_defaults defaults;
    CLI_TRY(cli_defaults_begin(&defaults, command));
    fprintf(out, "%szeroflow %s%s: %s\n\nUsage: zeroflow %s ", cli_bold(), cli_name_of(command),
            cli_plain(), cli_summary_of(command), cli_name_of(command));
    cli_print_usage(out, command);
    fputs("\n\n", out);
    cli_wrap(out, write_out(cli_description_of(command)).text, 0, page_width());
    if (zf_option_count(cli_arguments_of(command))) heading(out, "Arguments");
    for (int i = 0; i < zf_option_count(cli_arguments_of(command)); i++)
        entry(out, cli_arguments_of(command)[i].name, cli_arguments_of(command)[i].help);
    if (zf_option_count(cli_options_of(command))) heading(out, "Options");
    print_options(out, cli_options_of(command), &defaults);
    heading(out, "Options of every command");
    print_options(out, cli_global_options, NULL);
    heading(out, "Exit status");
    print_pairs(out, cli_exit_meanings);
    if (command->examples) heading(out, "Examples");
    print_examples(out, command->examples);
    cli_defaults_free(&defaults);
    return CLI_DONE;
}

cli_exit cli_print_overview(FILE *out)
{
    fprintf(out,
            "%szeroflow%s learns what is sufficient: which variables are enough to predict\n"
            "others, and which image features survive a change of view.\n\n"
            "Usage: zeroflow COMMAND [OPTIONS]\n",
            cli_bold(), cli_plain());
    heading(out, "Commands");
    for (int i = 0; cli_commands[i]; i++)
        if (!cli_commands[i]->hidden)
            entry(out, cli_name_of(cli_commands[i]), cli_summary_of(cli_commands[i]));
    heading(out, "Options of every command");
    print_options(out, cli_global_options, NULL);
    heading(out, "Options without a command");
    print_options(out, cli_top_options, NULL);
    heading(out, "Examples");
    for (int i = 0; cli_commands[i]; i++)
        if (!cli_commands[i]->hidden && cli_commands[i]->examples)
            fprintf(out, "%*s%s\n", INDENT, "", cli_commands[i]->examples[0].line);
    fputs("\n"
          "For more, see zeroflow COMMAND --help or man zeroflow.\n",
          out);
    return CLI_DONE;
}
