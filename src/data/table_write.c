/* Tables to CSV, TSV and NPY. */
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/finite.h"
#include "io/csv_write.h"
#include "io/decimal.h"
#include "io/npy.h"
#include "zeroflow/table.h"

static bool ends_with(const char *path, const char *suffix)
{
    size_t length = strlen(path), n = strlen(suffix);
    return length >= n && strcasecmp(path + length - n, suffix) == 0;
}

static void write_text(zf_sink *sink, const zf_numbers *numbers, char delimiter)
{
    char text[ZF_DECIMAL_ROOM];
    for (size_t j = 0; numbers->names && j < numbers->columns; j++) {
        if (j > 0) zf_sink_byte(sink, delimiter);
        zf_csv_write_cell(sink, numbers->names[j], delimiter);
    }
    if (numbers->names) zf_sink_byte(sink, '\n');
    for (size_t i = 0; i < numbers->rows * numbers->columns; i++) {
        zf_sink_text(sink, numbers->floats ? zf_decimal_float(text, numbers->floats[i])
                                           : zf_decimal_double(text, numbers->doubles[i]));
        zf_sink_byte(sink, (i + 1) % numbers->columns ? delimiter : '\n');
    }
}

static zf_status check(const char *path, const zf_numbers *numbers)
{
    return zf_finite_check(path, &(zf_grid){.floats = numbers->floats,
                                            .doubles = numbers->doubles,
                                            .rows = numbers->rows,
                                            .columns = numbers->columns,
                                            .names = numbers->names});
}

zf_status zf_table_write(const char *path, const zf_numbers *numbers)
{
    if (ends_with(path, ".gz"))
        return zf_fail(ZF_EINVAL, "%s: gzip is read but not written; expected .csv, .tsv or .npy",
                       path);
    ZF_TRY(check(path, numbers));
    if (ends_with(path, ".npy")) {
        const int64_t shape[] = {(int64_t)numbers->rows, (int64_t)numbers->columns};
        return numbers->floats ? zf_npy_write(path, ZF_FLOAT32, 2, shape, numbers->floats)
                               : zf_npy_write(path, ZF_FLOAT64, 2, shape, numbers->doubles);
    }
    zf_sink sink;
    ZF_TRY(zf_sink_open(&sink, path));
    sink.guard = numbers->guard;
    write_text(&sink, numbers, ends_with(path, ".tsv") ? '\t' : ',');
    return zf_sink_finish(&sink);
}

zf_status zf_table_encode(char **bytes, size_t *n, const zf_numbers *numbers)
{
    zf_sink sink;
    ZF_TRY(check(NULL, numbers));
    zf_sink_open_memory(&sink);
    sink.guard = numbers->guard;
    write_text(&sink, numbers, ',');
    return zf_sink_take(&sink, bytes, n);
}
