/* What fit tells of a training: losses, what was left to the library, what to doubt. */
#ifndef ZF_CLI_FIT_REPORT_H
#define ZF_CLI_FIT_REPORT_H

#include "output.h"
#include "zeroflow/blanket.h"

typedef struct cli_fit_report {
    const cli_call *call;
    const zf_fit_options *asked;
    const zf_fit_summary *summary;
} cli_fit_report;

/* The losses and the mean gate, then the options that were left open. */
void cli_fit_print(const cli_fit_report *report);

/* Adds the same to the object, which is freed and NULL returned if memory runs out. */
json_t *cli_fit_add_json(json_t *object, const cli_fit_report *report);

/* What the evidence found, which says how far gates matter. */
typedef enum cli_found { CLI_NOT_WEIGHED, CLI_NO_EDGE, CLI_EDGES } cli_found;

/* Warns of gates that select nothing and of predictions that are none. */
void cli_fit_doubt(const cli_fit_report *report, cli_found found);

#endif
