/* Standard output, and JSON on it. */
#ifndef ZF_CLI_OUTPUT_H
#define ZF_CLI_OUTPUT_H

#include <jansson.h>

#include "command.h"

/* Makes sure that descriptors 0 to 2 are taken, so that a data file cannot
   become standard output, and that a closed pipe is an error and no signal. */
void cli_output_begin(void);

/* Writes all of text and closes standard output. CLI_FAILED: not all arrived;
   the message is "" if that was because the reader has gone. */
cli_exit cli_output_end(const char *text, size_t length);

/* Prints the object, gives it back to jansson. A NULL object, or one that lacks
   a member because memory ran out, is CLI_FAILED. */
cli_exit cli_print_json(const cli_call *call, json_t *object);

/* Makes a folder for results, and those on its way; one that is there is fine. CLI_INPUT:
   it cannot be made. */
cli_exit cli_make_folder(const char *folder);

/* JSON values that always exist: text is repaired to UTF-8 (NULL is null), a
   number that JSON lacks becomes null. */
json_t *cli_json_text(const char *text);
json_t *cli_json_number(double number);

#endif
