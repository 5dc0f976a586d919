/* Cells of CSV text, quoted where needed. */
#include "io/csv_write.h"

#include <stdbool.h>
#include <string.h>

static bool needs_quotes(const char *text, size_t n, char delimiter)
{
    if (n == 0 || strchr(" \t", text[0]) || strchr(" \t", text[n - 1])) return true;
    return strpbrk(text, "\"\n\r,;\t|") != NULL || strchr(text, delimiter) != NULL;
}

/* What spreadsheets begin a formula with; the last four are wide forms of the first, which
   some of them take too. A tab or a line end before it is dropped by some. */
static bool begins_formula(const char *text)
{
    static const char *const starts[] = {"=",
                                         "+",
                                         "-",
                                         "@",
                                         "\t",
                                         "\r",
                                         "\n",
                                         "\xef\xbc\x9d",
                                         "\xef\xbc\x8b",
                                         "\xef\xbc\x8d",
                                         "\xef\xbc\xa0"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(text, starts[i], strlen(starts[i])) == 0) return true;
    return false;
}

void zf_csv_write_cell(zf_sink *sink, const char *text, char delimiter)
{
    size_t n = strlen(text);
    bool guarded = sink->guard && begins_formula(text);
    if (!guarded && !needs_quotes(text, n, delimiter)) {
        zf_sink_bytes(sink, text, n);
        return;
    }
    zf_sink_text(sink, guarded ? "\"'" : "\"");
    for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
        zf_sink_bytes(sink, text, (size_t)(quote - text));
        zf_sink_text(sink, "\"\"");
    }
    zf_sink_text(sink, text);
    zf_sink_byte(sink, '"');
}
