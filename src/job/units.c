#include "job/units.h"

#include <stdio.h>

#include "zeroflow/evidence.h"

zf_status zf_units_refuse_both(const zf_unit_values *values)
{
    if (values->groups && values->blocks > 0)
        return zf_fail(ZF_EINVAL, "{groups} and {blocks} cannot be used together");
    return ZF_OK;
}

size_t zf_units_block(const zf_unit_values *values)
{
    return values->blocks > 0 ? (size_t)values->blocks : 0;
}

zf_small zf_units_text(const zf_unit_values *values, size_t n)
{
    return zf_plural(n, values->groups ? "group" : values->blocks > 0 ? "block" : "row");
}

zf_unit_advice zf_units_advice(const char *lead, size_t block, const char *otherwise)
{
    zf_unit_advice words;
    if (block)
        snprintf(words.text, sizeof words.text, "%s %sblocks %zu", lead, zf_option_prefix(), block);
    else
        snprintf(words.text, sizeof words.text, "%s", otherwise);
    return words;
}

zf_status zf_units_doubt(zf_run *run, const zf_unit_values *values, const zf_matrix *matrix,
                         bool order)
{
    zf_row_doubts doubts;
    if (values->groups || values->blocks > 0) return ZF_OK;
    ZF_TRY(zf_rows_doubt(&doubts, matrix->values, matrix->rows, matrix->columns));
    if (doubts.copies)
        zf_warn(
            run,
            "%s of %s are copies of others, but rows are assumed to be independent: remove them, "
            "or name the column that says which rows belong together with {groups}",
            zf_count(doubts.copies).text, zf_plural(matrix->rows, "row").text);
    if (doubts.ordered && order)
        zf_warn(run,
                "rows resemble those before them in %s of %s (correlation %.2f), but rows are "
                "assumed to be independent: if they are in time order, %s; if consecutive rows "
                "belong together, use {groups}; if the table is sorted by a column, ignore this",
                zf_count(doubts.ordered).text, zf_plural(matrix->columns, "column").text,
                doubts.likeness,
                zf_units_advice("use", doubts.block, "there are too few of them").text);
    return ZF_OK;
}
