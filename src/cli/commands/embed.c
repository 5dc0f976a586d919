/* zeroflow embed: the features of images, by a model of pretrain. */
#include "job/embed.h"

#include "command.h"
#include "text.h"

static const cli_example examples[] = {
    {"zeroflow embed photos.model photos -o features.npy",
     "One row of features per image, and features.csv, which says which image each row is."},
    {NULL},
};

static void print(const cli_call *call, const void *given, const void *result)
{
    FILE *out = call->out;
    const zf_embed_values *values = given;
    const zf_embed_result *found = result;
    cli_clean(out, values->output);
    fprintf(out, ": %s of %s\n", zf_plural(found->dim, "feature").text,
            zf_plural(found->rows, "image").text);
    cli_clean(out, found->names);
    fputs(": which image each row is\n", out);
    if (!values->projector) return;
    cli_clean(out, values->projector);
    fputs(".vectors.tsv, ", out);
    cli_clean(out, values->projector);
    fputs(".metadata.tsv: for the embedding projector\n", out);
}

const cli_command cli_command_embed = {
    .job = &zf_job_embed,
    .print = print,
    .examples = examples,
};
