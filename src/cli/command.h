/* What a command is.

   A command is one constant descriptor in its own file under commands/, and
   its line in commands.def. The parser, --help, the manual page and the shell
   completions all read the descriptor, so they cannot disagree. Rejected:
   getopt_long, which knows neither types nor help, so that each fact would be
   written three times.

   A command writes its data to call->out, which reaches standard output only
   when the command succeeded; it never prints an error and never exits, but
   returns through cli_fail() or cli_check(). */
#ifndef ZF_CLI_COMMAND_H
#define ZF_CLI_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "job/job.h"

/* The exit status of the process. */
typedef enum cli_exit {
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_USAGE = 2,
    CLI_INPUT = 3,
    CLI_INTERRUPTED = 130,
} cli_exit;

/* Of a command without a job. */
typedef struct cli_value {
    bool set; /* there is a value, given or by default */
    bool flag;
    uint64_t whole; /* of a choice: its place among the choices */
    double real;
    const char *text; /* of the types that are text, and of a choice; or NULL */
} cli_value;

typedef struct cli_example {
    const char *line; /* as typed; the tests run it */
    const char *what;
} cli_example;

typedef struct cli_command cli_command;

/* One run of a command, parsed. */
typedef struct cli_call {
    const cli_command *command;
    zf_options *options;  /* of the command's job; NULL: it has none */
    cli_value *values;    /* by the index of the command's options */
    cli_value *arguments; /* by the index of the command's arguments */
    int argc;             /* the command line as it was typed */
    char **argv;
    uint64_t seed;
    int threads; /* 0: all processors */
    bool json;
    bool quiet;
    bool help;
    FILE *out;
} cli_call;

/* A command shows what a job does: then name, summary, description and options are the job's, and
   print() writes the result as text. Else it says all of this itself, and run() does all. */
struct cli_command {
    const zf_job *job;
    /* What the command line alone refuses, before the job runs; NULL: nothing. */
    cli_exit (*check)(const cli_call *call, const void *values);
    /* The result as text. */
    void (*print)(const cli_call *call, const void *values, const void *result);
    /* The message of a job that was interrupted; NULL: "interrupted". */
    cli_exit (*interrupted)(const cli_call *call, const void *values, const void *result);
    const char *name;
    const char *summary;     /* one line, lower case, no full stop */
    const char *description; /* paragraphs, with an empty line between */
    const zf_option *arguments;
    const zf_option *options;
    const cli_example *examples; /* ended by a NULL line */
    const char *const *files;    /* pairs of name and meaning, ended by NULL; or NULL */
    bool hidden;                 /* for the build, not for people */
    /* Fills in the defaults that the library decides; may be NULL. */
    void (*defaults)(cli_value *values);
    cli_exit (*run)(const cli_call *call);
};

/* What a command says of itself, or its job. */
const char *cli_name_of(const cli_command *command);
const char *cli_summary_of(const cli_command *command);
const char *cli_description_of(const cli_command *command);
const zf_option *cli_arguments_of(const cli_command *command);
const zf_option *cli_options_of(const cli_command *command);

/* Every command, in the order of the help, ended by NULL. */
extern const cli_command *const cli_commands[];

/* Options of every command; their indices. */
enum { CLI_SEED, CLI_THREADS, CLI_JSON, CLI_QUIET, CLI_HELP, CLI_GLOBALS };
extern const zf_option cli_global_options[];

/* Options that stand without a command: --version. */
extern const zf_option cli_top_options[];

/* What the manual page says beside the commands: pairs, ended by NULL. */
extern const char *const cli_exit_meanings[];
extern const char *const cli_environment[];

/* The command of that name, hidden ones too, or NULL. */
const cli_command *cli_find_command(const char *name);

/* The complaint about a command that is not there, with the nearest one. */
cli_exit cli_unknown_command(const char *name);

/* Sets the message that main prints and returns exit. */
cli_exit cli_fail(cli_exit exit, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *cli_message(void);

/* The exit for a status of the library; the message is zf_error(). */
cli_exit cli_check(zf_status status);

/* Passes a failure on. */
#define CLI_TRY(expression)                                                                        \
    do {                                                                                           \
        cli_exit try_exit_ = (expression);                                                         \
        if (try_exit_ != CLI_DONE) return try_exit_;                                               \
    } while (0)

#endif
