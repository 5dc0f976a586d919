#include "unit_input.h"

#include <stdio.h>

#include "progress.h"
#include "zeroflow/evidence.h"

cli_exit cli_units_check(const cli_value *first)
{
    if (first[CLI_GROUPS].given && first[CLI_BLOCKS].given)
        return cli_fail(CLI_USAGE, "--groups and --blocks exclude each other");
    return CLI_DONE;
}

size_t cli_units_block(const cli_value *first)
{
    return first[CLI_BLOCKS].given ? (size_t)first[CLI_BLOCKS].whole : 0;
}

cli_small cli_units_text(const cli_value *first, size_t n)
{
    return cli_plural(n, first[CLI_GROUPS].given   ? "group"
                         : first[CLI_BLOCKS].given ? "block"
                                                   : "row");
}

cli_advice cli_units_advice(const char *lead, size_t block, const char *otherwise)
{
    cli_advice words;
    if (block)
        snprintf(words.text, sizeof words.text, "%s --blocks %zu", lead, block);
    else
        snprintf(words.text, sizeof words.text, "%s", otherwise);
    return words;
}

cli_exit cli_units_doubt(const cli_call *call, const cli_value *first, const zf_matrix *matrix,
                         bool order)
{
    zf_row_doubts doubts;
    if (first[CLI_GROUPS].given || first[CLI_BLOCKS].given) return CLI_DONE;
    CLI_TRY(cli_check(zf_rows_doubt(&doubts, matrix->values, matrix->rows, matrix->columns)));
    if (doubts.copies)
        cli_warn(call,
                 "%s of %s are copies of others, but rows are taken as independent: remove them, "
                 "or name the column that tells which belong together by --groups",
                 cli_count(doubts.copies).text, cli_plural(matrix->rows, "row").text);
    if (doubts.ordered && order)
        cli_warn(call,
                 "rows are like those before them in %s of %s (correlation %.2f), but rows are "
                 "taken as independent: if their order is that of time, %s; if rows that belong "
                 "together follow each other, use --groups; if the table is sorted by a column, "
                 "all is well",
                 cli_count(doubts.ordered).text, cli_plural(matrix->columns, "column").text,
                 doubts.likeness,
                 cli_units_advice("use", doubts.block, "there are too few of them").text);
    return CLI_DONE;
}
