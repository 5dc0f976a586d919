/* Progress, notes and warnings on standard error, and Ctrl-C.

   On a terminal one line is redrawn in place; elsewhere a plain line appears
   every few seconds. From cli_progress_begin() to cli_progress_end() the first
   SIGINT or SIGTERM asks the work to save and stop, the second ends the process
   at once. */
#ifndef ZF_CLI_PROGRESS_H
#define ZF_CLI_PROGRESS_H

#include "command.h"
#include "zeroflow/report.h"

typedef struct cli_progress {
    const cli_call *call;
    bool redraw;
    bool colour;
    bool drawn;       /* a bar stands on the current line */
    double last_line; /* seconds of the run at the last plain line */
    const char *stage;
    zf_progress last; /* without its measures */
} cli_progress;

void cli_progress_begin(cli_progress *progress, const cli_call *call);
void cli_progress_end(cli_progress *progress);

/* The callbacks to hand to the library; progress must outlive the work. */
zf_report cli_progress_report(cli_progress *progress);

/* Writes the command line that resumes this one: its words, quoted for a
   shell, and --resume if it is not among them. */
void cli_print_resume(FILE *out, const cli_call *call);

/* The line for progress in at most columns columns, no newline; what does not
   fit is left out, the least needed first. Exposed for the tests. */
void cli_draw_bar(FILE *out, const zf_progress *progress, int columns, bool utf8, bool colour);

#endif
