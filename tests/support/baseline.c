#include "baseline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const *column_names(void)
{
    static char texts[BASELINE_COLUMNS][8];
    static const char *names[BASELINE_COLUMNS];
    for (int i = 0; i < BASELINE_COLUMNS; i++) {
        snprintf(texts[i], sizeof texts[i], "x%d", i + 1);
        names[i] = texts[i];
    }
    return names;
}

zf_status baseline_try(baseline_found *found, const double *values, size_t rows, size_t columns,
                       const zf_baseline_options *options)
{
    assert_true(columns <= BASELINE_COLUMNS);
    *found = (baseline_found){0};
    zf_status status = zf_baseline_run(&found->graph, &found->details, values, rows, column_names(),
                                       columns, options);
    assert_true((status == ZF_OK) == (found->graph != NULL));
    if (status != ZF_OK) assert_null(found->details.precision);
    return status;
}

baseline_found baseline_find(const double *values, size_t rows, size_t columns,
                             const zf_baseline_options *options)
{
    baseline_found found;
    assert_ok(baseline_try(&found, values, rows, columns, options));
    return found;
}

void baseline_free(baseline_found *found)
{
    zf_graph_free(found->graph);
    free(found->details.precision);
}

void baseline_chain(double *values, size_t rows, size_t columns, uint32_t key)
{
    draw_normals(values, rows * columns, key);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 1; j < columns; j++)
            values[i * columns + j] += 0.6f * values[i * columns + j - 1];
}

static void listen(void *context, zf_level level, const char *line)
{
    char *lines = context;
    size_t used = strlen(lines);
    snprintf(lines + used, BASELINE_LINES - used, "%s%s\n", level == ZF_WARNING ? "warning: " : "",
             line);
}

zf_report baseline_listen(char lines[BASELINE_LINES])
{
    lines[0] = 0;
    return (zf_report){.log = listen, .context = lines};
}

void baseline_assert_threads(const double *values, size_t rows, size_t columns,
                             zf_baseline_options options)
{
    options.threads = 1;
    baseline_found one = baseline_find(values, rows, columns, &options);
    options.threads = 3;
    baseline_found three = baseline_find(values, rows, columns, &options);
    for (size_t i = 0; i < columns; i++)
        for (size_t j = 0; j < columns; j++)
            assert_true(zf_graph_gate(one.graph, i, j) == zf_graph_gate(three.graph, i, j));
    if (one.details.precision)
        assert_memory_equal(one.details.precision, three.details.precision,
                            columns * columns * sizeof(double));
    baseline_free(&one);
    baseline_free(&three);
}
