/* Cells of CSV text. */
#ifndef ZF_IO_CSV_WRITE_H
#define ZF_IO_CSV_WRITE_H

#include "io/sink.h"

/* Quoted where it has to be so that our reader and RFC 4180's get the same text
   back: a delimiter of any of the usual kinds, a quote, a line end, a blank at
   either end, or nothing in it. Where the sink guards against formulas, text that a
   spreadsheet would take for one gets an apostrophe before it, which is then part of the
   text to whoever reads it back. */
void zf_csv_write_cell(zf_sink *sink, const char *text, char delimiter);

#endif
