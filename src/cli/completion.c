/* Completion for bash, zsh and fish, from the descriptors.

   The scripts are static text that needs nothing but the shell itself (no
   bash-completion package) and never runs zeroflow, so completing is instant
   even where the command is slow to start. */
#include <string.h>

#include "documents.h"
#include "parse.h"

/* Loops over what people see. */
#define FOR_COMMANDS(command)                                                                      \
    for (const cli_command *const *at_ = cli_commands, *command = *at_; *at_; command = *++at_)    \
        if (!command->hidden)

#define FOR_OPTIONS(option, options)                                                               \
    for (const zf_option *option = (options); option && option->name; option++)

/* text between single quotes, with the characters of special behind a
   backslash; quote is how the shell writes a single quote in there. */
static void quoted(FILE *out, const char *text, const char *special, const char *quote)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs(quote, out);
            continue;
        }
        if (strchr(special, *text)) fputc('\\', out);
        fputc(*text, out);
    }
}

/* The first sentence of a help text: enough for a completion menu. */
static void first_sentence(FILE *out, const char *help, const char *special, const char *quote)
{
    char sentence[200], written[1024];
    zf_write_options(written, sizeof written, help);
    help = written;
    const char *end = strstr(help, ". ");
    size_t length =
        end ? (size_t)(end - help) : strlen(help) - (*help && help[strlen(help) - 1] == '.');
    snprintf(sentence, sizeof sentence, "%.*s", (int)length, help);
    quoted(out, sentence, special, quote);
}

static void command_names(FILE *out)
{
    const char *gap = "";
    FOR_COMMANDS(command)
    {
        fprintf(out, "%s%s", gap, cli_name_of(command));
        gap = " ";
    }
}

static void choice_names(FILE *out, const zf_option *option)
{
    for (int i = 0; option->choices[i]; i++) fprintf(out, "%s%s", i ? " " : "", option->choices[i]);
}

/* What bash runs to complete a value of this type into COMPREPLY. */
static void bash_value(FILE *out, const zf_option *option)
{
    switch (option->type) {
    case ZF_OPTION_FILE:
    case ZF_OPTION_IMAGES:
    case ZF_OPTION_OUTPUT:
    case ZF_OPTION_PATHS:
        fputs("_zeroflow_paths -f", out);
        return;
    case ZF_OPTION_FOLDER:
        fputs("_zeroflow_paths -d", out);
        return;
    case ZF_OPTION_CHOICE:
        fputs("_zeroflow_words '", out);
        choice_names(out, option);
        fputs("'", out);
        return;
    case ZF_OPTION_COMMAND:
        fputs("_zeroflow_words '", out);
        command_names(out);
        fputs("'", out);
        return;
    default:
        fputs(":", out);
    }
}

/* "PREFIX:--output|PREFIX:-o) ACTION; return ;;" for options with a value. */
static void bash_value_cases(FILE *out, const char *prefix, const zf_option *options)
{
    FOR_OPTIONS(option, options)
    {
        if (option->type == ZF_OPTION_FLAG) continue;
        fprintf(out, "        %s:--%s", prefix, option->name);
        if (option->letter) fprintf(out, " | %s:-%c", prefix, option->letter);
        fputs(") ", out);
        bash_value(out, option);
        fputs("; return ;;\n", out);
    }
}

static void bash_option_names(FILE *out, const zf_option *options)
{
    FOR_OPTIONS(option, options) fprintf(out, " --%s", option->name);
}

static void bash_helpers(FILE *out)
{
    fputs("# bash completion for zeroflow\n\n"
          "_zeroflow_words()\n{\n"
          "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$current\")\n}\n\n"
          "_zeroflow_paths()\n{\n"
          "    compopt -o filenames 2> /dev/null\n"
          "    mapfile -t COMPREPLY < <(compgen \"$1\" -- \"$current\")\n}\n\n",
          out);
}

/* Finds the word at the cursor, the option before it and the command. bash
   makes "--name=value" three words. */
static void bash_words(FILE *out)
{
    fputs("_zeroflow()\n{\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local command='' i\n"
          "    COMPREPLY=()\n"
          "    if [[ $current == = ]]; then\n"
          "        current=''\n"
          "    elif [[ $before == = ]] && ((COMP_CWORD > 2)); then\n"
          "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    fi\n"
          "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
          "        case ${COMP_WORDS[i]} in\n",
          out);
    const char *gap = "            ";
    FOR_OPTIONS(option, cli_global_options)
    {
        if (option->type == ZF_OPTION_FLAG) continue;
        fprintf(out, "%s--%s", gap, option->name);
        gap = " | ";
    }
    fputs(")\n"
          "                if [[ ${COMP_WORDS[i + 1]} == = ]]; then i=$((i + 2)); "
          "else i=$((i + 1)); fi ;;\n"
          "            -*) ;;\n"
          "            *) command=${COMP_WORDS[i]}; break ;;\n"
          "        esac\n"
          "    done\n",
          out);
}

cli_exit cli_print_bash(FILE *out)
{
    bash_helpers(out);
    bash_words(out);
    fputs("    case $command:$before in\n", out);
    bash_value_cases(out, "*", cli_global_options);
    FOR_COMMANDS(command) bash_value_cases(out, cli_name_of(command), cli_options_of(command));
    fputs("    esac\n    if [[ $current == -* ]]; then\n        case $command in\n", out);
    FOR_COMMANDS(command)
    {
        fprintf(out, "            %s) _zeroflow_words '", cli_name_of(command));
        bash_option_names(out, cli_options_of(command));
        bash_option_names(out, cli_global_options);
        fputs("' ;;\n", out);
    }
    fputs("            '') _zeroflow_words '", out);
    bash_option_names(out, cli_global_options);
    bash_option_names(out, cli_top_options);
    fputs("' ;;\n        esac\n        return\n    fi\n    case $command in\n"
          "        '') _zeroflow_words '",
          out);
    command_names(out);
    fputs("' ;;\n", out);
    FOR_COMMANDS(command)
    {
        if (!zf_option_count(cli_arguments_of(command))) continue;
        fprintf(out, "        %s) ", cli_name_of(command));
        bash_value(out, &cli_arguments_of(command)[0]);
        fputs(" ;;\n", out);
    }
    fputs("    esac\n}\n\ncomplete -F _zeroflow zeroflow\n", out);
    return CLI_DONE;
}

/* ":N:ACTION", the end of an _arguments specification. */
static void zsh_value(FILE *out, const zf_option *option)
{
    if (option->type == ZF_OPTION_FLAG) return;
    fprintf(out, ":%s:", option->placeholder ? option->placeholder : option->name);
    if (option->type == ZF_OPTION_FILE || option->type == ZF_OPTION_IMAGES ||
        option->type == ZF_OPTION_OUTPUT || option->type == ZF_OPTION_PATHS)
        fputs("_files", out);
    if (option->type == ZF_OPTION_FOLDER) fputs("_files -/", out);
    if (option->type == ZF_OPTION_CHOICE || option->type == ZF_OPTION_COMMAND) {
        fputc('(', out);
        if (option->type == ZF_OPTION_CHOICE)
            choice_names(out, option);
        else
            command_names(out);
        fputc(')', out);
    }
}

/* "--name=" takes the value in the same word or the next one, "-o+" too. */
static void zsh_options(FILE *out, const zf_option *options)
{
    FOR_OPTIONS(option, options)
    {
        const char *equals = option->type == ZF_OPTION_FLAG ? "" : "=";
        const char *plus = option->type == ZF_OPTION_FLAG ? "" : "+";
        if (option->letter)
            fprintf(out, "    '(-%c --%s)'{-%c%s,--%s%s}'", option->letter, option->name,
                    option->letter, plus, option->name, equals);
        else
            fprintf(out, "    '%s--%s%s", option->type == ZF_OPTION_LIST ? "*" : "", option->name,
                    equals);
        fputc('[', out);
        first_sentence(out, option->help, "[]:\\", "'\\''");
        fputc(']', out);
        zsh_value(out, option);
        fputs("'\n", out);
    }
}

cli_exit cli_print_zsh(FILE *out)
{
    fputs("#compdef zeroflow\n\n"
          "_zeroflow() {\n  local curcontext=$curcontext state line\n  typeset -A opt_args\n"
          "  local -a everywhere commands specific\n  everywhere=(\n",
          out);
    zsh_options(out, cli_global_options);
    fputs("  )\n  specific=(\n", out);
    zsh_options(out, cli_top_options);
    fputs("  )\n  _arguments -C -A '-*' $everywhere $specific '1:command:->command' "
          "'*::argument:->argument' && return\n"
          "  if [[ $state == command ]]; then\n    commands=(\n",
          out);
    FOR_COMMANDS(command)
    {
        fprintf(out, "      '%s:", cli_name_of(command));
        quoted(out, cli_summary_of(command), "\\", "'\\''");
        fputs("'\n", out);
    }
    fputs("    )\n    _describe -t commands command commands\n    return\n  fi\n"
          "  specific=()\n  case $words[1] in\n",
          out);
    FOR_COMMANDS(command)
    {
        fprintf(out, "  %s) specific=(\n", cli_name_of(command));
        zsh_options(out, cli_options_of(command));
        FOR_OPTIONS(argument, cli_arguments_of(command))
        {
            if (argument->type == ZF_OPTION_LIST)
                fputs("    '*", out);
            else
                fprintf(out, "    '%d", (int)(argument - cli_arguments_of(command)) + 1);
            zsh_value(out, argument);
            fputs("'\n", out);
        }
        fputs("  ) ;;\n", out);
    }
    fputs("  esac\n  _arguments $everywhere $specific\n}\n\n_zeroflow \"$@\"\n", out);
    return CLI_DONE;
}

static void fish_value(FILE *out, const zf_option *option)
{
    switch (option->type) {
    case ZF_OPTION_FLAG:
        return;
    case ZF_OPTION_FILE:
    case ZF_OPTION_IMAGES:
    case ZF_OPTION_OUTPUT:
    case ZF_OPTION_PATHS:
        fputs(" -r -F", out);
        return;
    case ZF_OPTION_FOLDER:
        fputs(" -x -a '(__fish_complete_directories)'", out);
        return;
    case ZF_OPTION_CHOICE:
    case ZF_OPTION_COMMAND:
        fputs(" -x -a '", out);
        if (option->type == ZF_OPTION_CHOICE)
            choice_names(out, option);
        else
            command_names(out);
        fputs("'", out);
        return;
    default:
        fputs(" -x", out);
    }
}

static void fish_options(FILE *out, const char *condition, const zf_option *options)
{
    FOR_OPTIONS(option, options)
    {
        fprintf(out, "complete -c zeroflow%s -l %s", condition, option->name);
        if (option->letter) fprintf(out, " -s %c", option->letter);
        fish_value(out, option);
        fputs(" -d '", out);
        first_sentence(out, option->help, "\\", "\\'");
        fputs("'\n", out);
    }
}

cli_exit cli_print_fish(FILE *out)
{
    fputs("# fish completion for zeroflow\n\ncomplete -c zeroflow -f\n", out);
    FOR_COMMANDS(command)
    {
        fprintf(out, "complete -c zeroflow -n __fish_use_subcommand -a %s -d '",
                cli_name_of(command));
        quoted(out, cli_summary_of(command), "\\", "\\'");
        fputs("'\n", out);
    }
    fish_options(out, "", cli_global_options);
    fish_options(out, " -n __fish_use_subcommand", cli_top_options);
    FOR_COMMANDS(command)
    {
        char condition[80];
        snprintf(condition, sizeof condition, " -n '__fish_seen_subcommand_from %s'",
                 cli_name_of(command));
        fish_options(out, condition, cli_options_of(command));
        FOR_OPTIONS(argument, cli_arguments_of(command))
        {
            fprintf(out, "complete -c zeroflow%s", condition);
            fish_value(out, argument);
            fputc('\n', out);
        }
    }
    return CLI_DONE;
}
