/* From a table to a report: fits blankets, asks for one, certifies it, writes a page.

     cc blanket.c $(pkg-config --cflags --libs zeroflow) -o blanket
     ./blanket rows.csv report.html */
#include <stdio.h>
#include <stdlib.h>
#include <zeroflow/zeroflow.h>

static void check(zf_status status)
{
    if (status == ZF_OK) return;
    fprintf(stderr, "%s: %s\n", zf_status_name(status), zf_error());
    exit(1);
}

int main(int argc, char **argv)
{
    zf_table *table = NULL;
    zf_matrix rows;
    zf_blanket *model = NULL;
    zf_certificate certificate;
    if (argc != 3) return fprintf(stderr, "usage: blanket ROWS REPORT\n"), 2;

    check(zf_table_read(&table, argv[1], NULL));
    check(zf_table_check(table));
    check(zf_table_matrix(&rows, table, NULL, 0, ZF_MISSING_DROP));
    const char **names = malloc(rows.columns * sizeof *names);
    for (size_t j = 0, k = 0; names && j < zf_table_columns(table); j++)
        if (zf_table_column(table, j)->used) names[k++] = zf_table_column(table, j)->name;

    zf_fit_options options = zf_fit_defaults();
    options.iterations = 500;
    check(zf_blanket_fit(&model, NULL, rows.values, rows.rows, names, rows.columns, &options));
    check(zf_blanket_weigh(model, rows.values, rows.rows, NULL));

    const int32_t target = 0;
    size_t n = 0;
    zf_member *members = malloc(rows.columns * sizeof *members);
    int32_t *blanket = malloc(rows.columns * sizeof *blanket);
    check(zf_blanket_decide(members, &n, model, &target, 1, 0.1));
    printf("%s:", names[target]);
    for (size_t i = 0; i < n; i++) printf(" %s", names[blanket[i] = members[i].variable]);
    check(zf_certify(&certificate, model, rows.values, rows.rows, &target, 1, blanket, n, NULL));
    printf("\nthat the rest tells nothing more: p = %.2g\n", certificate.test.p_value);
    check(zf_html_write(argv[2], model, NULL));

    zf_certificate_free(&certificate);
    zf_blanket_free(model);
    zf_matrix_free(&rows);
    zf_table_free(table);
    free(blanket);
    free(members);
    free(names);
    return 0;
}
