/* Standard output, and JSON on it. */
#ifndef ZF_CLI_OUTPUT_H
#define ZF_CLI_OUTPUT_H

#include <jansson.h>

#include "command.h"

/* Makes sure that descriptors 0 to 2 are taken, so that a data file cannot
   become standard output, and that a closed pipe, or a file that has reached the limit of its size
   (ulimit -f), is an error and no signal. */
void cli_output_begin(void);

/* Writes all of text and closes standard output. CLI_FAILED: not all arrived;
   the message is "" if that was because the reader has gone. */
cli_exit cli_output_end(const char *text, size_t length);

/* A warning that was printed, for `warnings` of the object that follows. */
void cli_json_warn(const char *line);

/* Prints the object with the warnings so far, if there are any, and gives it back to jansson. A
   NULL object, or one that lacks
   a member because memory ran out, is CLI_FAILED; so is a number that is not finite, by
   its name. */
cli_exit cli_print_json(const cli_call *call, json_t *object);

/* Prints what goes to standard output instead of a file: as it is, but made safe by
   cli_clean_lines() on a terminal. bytes[n] is NUL. */
void cli_print_data(const cli_call *call, const char *bytes, size_t n);

/* Whether an output goes to standard output: NULL and "-" do. */
bool cli_is_standard_output(const char *path);

/* CLI_USAGE, naming the option, if path is "-" for an output that has to be a file. */
cli_exit cli_need_file(const char *path, const char *option);

/* Whether a file of that name is a figure: it ends in .png or .svg, in any case. */
bool cli_is_figure_name(const char *path);

/* CLI_USAGE, naming the option, unless path is NULL or a figure's name. */
cli_exit cli_check_figure_name(const char *path, const char *option);

/* "Wrote FILE", after an empty line; nothing if path is NULL. */
void cli_tell_figure(const cli_call *call, const char *path);

/* The option of commands that write names into CSV, for their lists. Off unless asked for:
   files are to read back as they were. */
#define CLI_GUARD_OPTION                                                                           \
    {                                                                                              \
        "guard-formulas", .help = "Write an apostrophe before names in CSV that a spreadsheet "    \
                                  "would run as formulas: those that begin with =, +, -, @, a "    \
                                  "tab or a line end. They read back with it."                     \
    }

/* JSON values that always exist: text is repaired to UTF-8 (NULL is null). */
json_t *cli_json_text(const char *text);

/* A number that is there. One that is not finite is noted, and no JSON is printed. */
json_t *cli_json_number(double number);

/* Generated values, which have the digits of float32, as such: files of them need no more.
   For free(); NULL: out of memory. */
float *cli_narrow(const double *values, size_t n);

/* A number that need not be there: NaN, which says so, is null. */
json_t *cli_json_optional(double number);

#endif
