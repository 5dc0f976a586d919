/* zeroflow reconstruct: what of images can be brought back from their features, as a table. */
#include "job/reconstruct.h"

#include "command.h"
#include "output.h"
#include "terminal.h"
#include "text.h"

static const cli_example examples[] = {
    {"zeroflow reconstruct photos.model photos -o seen.png --iterations 5",
     "How well images are reconstructed from the features of a model, and a sheet of "
     "some; a very short run."},
    {NULL},
};

static void print(const cli_call *call, const void *given, const void *result)
{
    FILE *out = call->out;
    const zf_reconstruct_values *values = given;
    const zf_reconstruct_result *found = result;
    fputs(cli_bold(), out);
    cli_clean(out, values->model);
    fprintf(out, "%s: %s, %s of images of %d x %d\n\n", cli_plain(),
            zf_vision_method_name(found->method), zf_plural((uint64_t)found->dim, "feature").text,
            found->size, found->size);
    fprintf(out, "  fitted on  %s", zf_plural(found->sets.train.count, "image").text);
    if (found->n_tests > 1) fprintf(out, ", watermark %s", zf_watermark_names[found->watermark]);
    fprintf(out,
            "\n"
            "  tested on  %s%s\n\n",
            zf_plural(found->sets.test.count, "image").text,
            found->sets.split ? ", held out evenly" : "");
    fprintf(out, "  %s%-11s  MSE of decoded  of the mean image%s\n", cli_bold(), "images",
            cli_plain());
    for (int k = 0; k < found->n_tests; k++)
        fprintf(out, "  %-11s  %14.4f  %19.4f\n", zf_test_set_names[k], found->error[k].mse,
                found->error[k].mean);
    cli_tell_figure(call, found->sheet[0] ? found->sheet : NULL);
}

const cli_command cli_command_reconstruct = {
    .job = &zf_job_reconstruct,
    .print = print,
    .examples = examples,
};
