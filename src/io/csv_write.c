/* Cells of CSV text, quoted where needed. */
#include "io/csv_write.h"

#include <stdbool.h>
#include <string.h>

static bool needs_quotes(const char *text, size_t n, char delimiter)
{
    if (n == 0 || strchr(" \t", text[0]) || strchr(" \t", text[n - 1])) return true;
    return strpbrk(text, "\"\n\r,;\t|") != NULL || strchr(text, delimiter) != NULL;
}

void zf_csv_write_cell(zf_sink *sink, const char *text, char delimiter)
{
    size_t n = strlen(text);
    if (!needs_quotes(text, n, delimiter)) {
        zf_sink_bytes(sink, text, n);
        return;
    }
    zf_sink_byte(sink, '"');
    for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
        zf_sink_bytes(sink, text, (size_t)(quote - text));
        zf_sink_text(sink, "\"\"");
    }
    zf_sink_text(sink, text);
    zf_sink_byte(sink, '"');
}
