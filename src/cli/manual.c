/* The manual page zeroflow(1), in man(7) macros that groff and mandoc both
   render without a warning. All commands are in one page, so that one search
   finds an option wherever it is. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "documents.h"
#include "help.h"
#include "parse.h"

enum { LINE = 72 };

static void roff_word(FILE *out, const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (word[i] == '\\')
            fputs("\\e", out);
        else if (word[i] == '-')
            fputs("\\-", out);
        else if (word[i] == '"')
            fputs("\\(dq", out);
        else
            fputc(word[i], out);
    }
}

/* Text with what roff would take for its own made harmless: backslashes, the
   hyphens of options (so that they can be copied), and a full stop or quote at
   the start of a line. Options in braces are written out. Each sentence begins a line, as roff
   wants it. Ends the line. */
static void roff(FILE *out, const char *plain)
{
    char written[4096];
    const char *text = written;
    size_t used = 0;
    zf_write_options(written, sizeof written, plain);
    bool sentence_ended = false;
    while (*text) {
        if (text[0] == '\n' && text[1] == '\n') {
            fputs("\n.PP\n", out);
            used = 0;
        }
        text += strspn(text, " \n");
        size_t length = strcspn(text, " \n");
        if (length == 0) break;
        if (used > 0 && (sentence_ended || used + length > LINE)) {
            fputc('\n', out);
            used = 0;
        } else if (used > 0) {
            fputc(' ', out);
        }
        if (used == 0 && strchr(".'", *text)) fputs("\\&", out);
        roff_word(out, text, length);
        used += length + 1;
        sentence_ended = text[length - 1] == '.' || text[length - 1] == '?';
        text += length;
    }
    fputc('\n', out);
}

/* Bold "-o, --output", then the placeholder in italics. */
static void option_tag(FILE *out, const zf_option *option)
{
    fputs(".TP\n", out);
    if (option->letter) fprintf(out, "\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB\\-\\-", out);
    roff_word(out, option->name, strlen(option->name));
    fputs("\\fR", out);
    if (option->placeholder) fprintf(out, " \\fI%s\\fR", option->placeholder);
    fputc('\n', out);
}

static void print_option(FILE *out, const zf_option *option, const cli_defaults *defaults, int at)
{
    option_tag(out, option);
    roff(out, option->help);
    cli_default without = cli_default_text(option, defaults, at);
    if (!without.text[0]) return;
    fputs("Default: ", out);
    roff(out, without.text);
}

static void print_pairs(FILE *out, const char *const *pairs)
{
    for (; pairs && pairs[0]; pairs += 2) {
        fputs(".TP\n.B ", out);
        roff(out, pairs[0]);
        roff(out, pairs[1]);
    }
}

static cli_exit print_command(FILE *out, const cli_command *command)
{
    cli_defaults defaults;
    CLI_TRY(cli_defaults_begin(&defaults, command));
    fprintf(out, ".SS %s\n.B zeroflow %s\n", cli_name_of(command), cli_name_of(command));
    cli_print_usage(out, command);
    fputs("\n.PP\n", out);
    roff(out, cli_description_of(command));
    for (int i = 0; i < zf_option_count(cli_arguments_of(command)); i++) {
        fprintf(out, ".TP\n.I %s\n", cli_arguments_of(command)[i].name);
        roff(out, cli_arguments_of(command)[i].help);
    }
    for (int i = 0; i < zf_option_count(cli_options_of(command)); i++)
        print_option(out, &cli_options_of(command)[i], &defaults, i);
    cli_defaults_free(&defaults);
    return CLI_DONE;
}

static void print_examples(FILE *out, const cli_command *command)
{
    for (const cli_example *e = command->examples; e && e->line; e++) {
        /* A paragraph right after the heading would be one too many. */
        if (command != cli_commands[0] || e != command->examples) fputs(".PP\n", out);
        roff(out, e->what);
        fputs(".PP\n.RS 4\n.nf\n", out);
        roff_word(out, e->line, strlen(e->line));
        fputs("\n.fi\n.RE\n", out);
    }
}

/* The day of the build, or the one that a reproducible build asks for. */
static void print_date(FILE *out)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    time_t moment = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
    struct tm day;
    char text[32] = "";
    if (gmtime_r(&moment, &day)) strftime(text, sizeof text, "%Y-%m-%d", &day);
    fputs(text, out);
}

static void print_front(FILE *out)
{
    fputs(".TH ZEROFLOW 1 ", out);
    print_date(out);
    fprintf(out, " \"zeroflow %s\" \"User Commands\"\n", zf_version());
    fputs(".SH NAME\nzeroflow \\- learn which variables and which features are sufficient\n"
          ".SH SYNOPSIS\n.B zeroflow\n.I COMMAND\n.RI [ OPTIONS ]\n.br\n"
          ".B zeroflow help\n.RI [ COMMAND ]\n.br\n.B zeroflow \\-\\-version\n"
          ".SH DESCRIPTION\n",
          out);
    roff(out, "zeroflow learns what is sufficient: which variables are enough to predict others, "
              "and which image features survive a change of view.\n\n"
              "Data goes to standard output; progress, warnings and errors go to standard error. "
              "On a terminal, long work shows a progress bar; elsewhere, a plain line every few "
              "seconds. Ctrl-C and SIGTERM save what was learnt and stop; a second one stops at "
              "once.");
}

cli_exit cli_print_manual(FILE *out)
{
    print_front(out);
    fputs(".SH COMMANDS\n", out);
    for (int i = 0; cli_commands[i]; i++)
        if (!cli_commands[i]->hidden) CLI_TRY(print_command(out, cli_commands[i]));
    fputs(".SH OPTIONS\nEvery command has these.\nOptions may stand before, between and after "
          "the arguments; after\n.B \\-\\-\neverything is an argument.\n",
          out);
    for (int i = 0; i < CLI_GLOBALS; i++) print_option(out, &cli_global_options[i], NULL, i);
    fputs(".SH EXIT STATUS\n", out);
    print_pairs(out, cli_exit_meanings);
    fputs(".SH ENVIRONMENT\n", out);
    print_pairs(out, cli_environment);
    fputs(".SH FILES\n", out);
    for (int i = 0; cli_commands[i]; i++)
        if (!cli_commands[i]->hidden) print_pairs(out, cli_commands[i]->files);
    fputs(".SH EXAMPLES\n", out);
    for (int i = 0; cli_commands[i]; i++)
        if (!cli_commands[i]->hidden) print_examples(out, cli_commands[i]);
    return CLI_DONE;
}
