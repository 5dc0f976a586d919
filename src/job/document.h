/* Results that are files, and stay with the result where no file is named: tables, graphs. */
#ifndef ZF_JOB_DOCUMENT_H
#define ZF_JOB_DOCUMENT_H

#include "job/job.h"
#include "zeroflow/table.h"

/* What was to be a file. */
typedef struct zf_document {
    char *bytes; /* for free(), with a NUL behind them; NULL: it went to a file */
    size_t n;
} zf_document;

/* Whether an output stays with the result: NULL and "-" do. */
bool zf_document_stays(const char *path);

/* Writes a table to path, or keeps it as CSV. */
zf_status zf_document_table(zf_document *kept, const char *path,
                            const zf_numbers *numbers) ZF_CHECK;

/* The row of jobs that write names into CSV. Off unless asked for: files are to read back as they
   were. */
#define ZF_GUARD_ROW(of, member)                                                                   \
    {                                                                                              \
        "guard-formulas", .type = ZF_OPTION_FLAG, ZF_FIELD(of, member),                            \
                          .help = "Write an apostrophe before names in CSV that a spreadsheet "    \
                                  "would run as formulas: those that begin with =, +, -, @, a "    \
                                  "tab or a line end. They read back with it."                     \
    }

#endif
