/* zeroflow predict: how well a blanket predicts its targets, beside all columns and none. */
#include "job/predict.h"

#include "command.h"
#include "forms.h"
#include "terminal.h"
#include "text.h"

static const cli_example examples[] = {
    {"zeroflow predict cells.csv --target PKA --blanket Raf,Mek",
     "Are Raf and Mek sufficient for PKA?"},
    {"zeroflow predict cells.csv --model cells.model --target PKA --test fresh.csv --json",
     "The blanket of a model, on held-out rows."},
    {NULL},
};

static void print_measure(FILE *out, const zf_estimate *m)
{
    fprintf(out, "  %6.3f +- %5.3f", m->value, m->error);
}

static void print_target(FILE *out, const zf_predict_result *found, int target)
{
    static const char *const labels[ZF_FROM_SETS] = {"all columns", "blanket", "none"};
    const zf_prediction *r = &found->predictions[target * ZF_FROM_SETS];
    const zf_estimate *less = &r[ZF_FROM_BLANKET].less;
    fputs(cli_bold(), out);
    cli_clean(out, found->names[found->targets[target]]);
    fprintf(out, "%s\n  %-11s  columns   R2", cli_plain(), "");
    if (r->two_valued) fprintf(out, "               AUC              accuracy");
    fputc('\n', out);
    for (int set = 0; set < ZF_FROM_SETS; set++) {
        fprintf(out, "  %-11s  %7d", labels[set], zf_predict_columns(found, set));
        print_measure(out, &r[set].r2);
        if (r->two_valued) print_measure(out, &r[set].auc);
        if (r->two_valued) print_measure(out, &r[set].accuracy);
        fputc('\n', out);
    }
    fprintf(out, "  all columns explain %.3f +- %.3f more than the blanket: %s\n", less->value,
            less->error,
            less->value > 2 * less->error ? "the blanket is not sufficient"
                                          : "no sign that it is insufficient");
}

static void print(const cli_call *call, const void *given, const void *result)
{
    FILE *out = call->out;
    const zf_predict_values *values = given;
    const zf_predict_result *found = result;
    zf_names names = zf_predict_names(found, values->data);
    fprintf(out, "%sBlanket%s  ", cli_bold(), cli_plain());
    if (found->n_members == 0) fputs("empty", out);
    cli_list_names(out, &names, found->members, found->n_members);
    fprintf(out, "\n%sRows%s     ", cli_bold(), cli_plain());
    if (found->tested)
        fprintf(out, "%s fitted, %s predicted", zf_count(found->rows - found->tested).text,
                zf_count(found->tested).text);
    else
        fprintf(out, "%s, each predicted from %d of %d folds", zf_count(found->rows).text,
                values->folds - 1, values->folds);
    if (found->units != (found->tested ? found->tested : found->rows))
        fprintf(out, "; %s, each kept whole", zf_units_text(&values->units, found->units).text);
    fputs("\n\n", out);
    for (int k = 0; k < found->n_targets; k++) {
        if (k) fputc('\n', out);
        print_target(out, found, k);
    }
    fputs("\n"
          "R2: share of the variance explained, +- its standard error; by ridge regression\n"
          "on normal scores, functions of these and their products, the same for all.\n",
          out);
}

const cli_command cli_command_predict = {
    .job = &zf_job_predict,
    .print = print,
    .examples = examples,
};
