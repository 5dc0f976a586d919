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

/* Prints the object and gives it back to jansson; its values are those of job/answer.h, which says
   what is refused. */
cli_exit cli_print_json(const cli_call *call, json_t *object);

/* Prints what goes to standard output instead of a file: as it is, but made safe by
   cli_clean_lines() on a terminal. bytes[n] is NUL. */
void cli_print_data(const cli_call *call, const char *bytes, size_t n);

/* CLI_USAGE, naming the option, if path is "-" for an output that has to be a file. */
cli_exit cli_need_file(const char *path, const char *option);

/* "Wrote FILE", after an empty line; nothing if path is NULL. */
void cli_tell_figure(const cli_call *call, const char *path);

#endif
