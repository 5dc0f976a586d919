/* What the commands that write a graph say about it, and what they cannot do on a terminal. */
#ifndef ZF_CLI_GRAPH_TEXT_H
#define ZF_CLI_GRAPH_TEXT_H

#include "command.h"
#include "job/graph_output.h"

/* Before the work: --json on standard output is the graph itself as JSON. CLI_USAGE: another
   format is asked for, or a terminal would get bytes. */
cli_exit cli_check_graph(const cli_call *call, const zf_graph_output_values *values);

/* What was written into the file, as one line. */
void cli_tell_graph(FILE *out, const zf_graph_output *output, const zf_graph *graph);

#endif
