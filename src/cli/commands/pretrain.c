/* zeroflow pretrain: learns features of images without labels. */
#include "job/pretrain.h"

#include <math.h>

#include "command.h"
#include "stopped.h"
#include "terminal.h"
#include "text.h"

static const cli_example examples[] = {
    {"zeroflow pretrain photos -o photos.model --size 32 --batch 4 --iterations 3",
     "Features of the images in the folder photos/CLASS/FILE.jpg; a very short run."},
    {"zeroflow pretrain photos -o marked.model --watermark patch --batch 4 --iterations 2",
     "Images with a watermark, which is a shortcut for --method simclr."},
    {NULL},
};

static const char *const files[] = {
    "MODEL.checkpoint",
    "Checkpoint of pretrain: the model and the state of the optimiser.",
    NULL,
};

static void print_next(FILE *out, const zf_pretrain_values *values)
{
    fputs("\nNext: zeroflow embed ", out);
    cli_print_path(out, values->output);
    fputc(' ', out);
    cli_print_path(out, values->images);
    if (values->source.part != ZF_IMAGES_TRAIN)
        fprintf(out, " --part %s", zf_image_part_names[values->source.part]);
    fputs(" -o features.npy\n", out);
}

static void print(const cli_call *call, const void *given, const void *result)
{
    FILE *out = call->out;
    const zf_pretrain_values *values = given;
    const zf_pretrain_result *found = result;
    const zf_pretrain_summary *s = &found->summary;
    fprintf(out, "Learnt %s from %s of %d x %d with %s: %s in %.1f s",
            zf_plural((uint64_t)found->dim, "feature").text, zf_plural(found->used, "image").text,
            found->size, found->size, zf_pretrain_methods[values->training.method],
            zf_plural(s->iterations, "iteration").text, s->seconds);
    if (s->resumed_from > 0) fprintf(out, " (resumed from %s)", zf_count(s->resumed_from).text);
    fprintf(out, ".\n\n  loss   %.4g", s->loss);
    if (isfinite(s->rectified)) fprintf(out, " (rectified %.4g, zero %.4g)", s->rectified, s->zero);
    if (isfinite(s->knn))
        fprintf(out,
                "\n"
                "  knn    %.1f %% of %s held-out images classified correctly by their neighbours",
                100 * s->knn, zf_count(s->watched).text);
    fprintf(out, "\n\n%sModel%s  ", cli_bold(), cli_plain());
    cli_clean(out, values->output);
    fputc('\n', out);
    if (!call->quiet) print_next(out, values);
}

static cli_exit interrupted(const cli_call *call, const void *values, const void *result)
{
    (void)values;
    return cli_training_stopped(call, &((const zf_pretrain_result *)result)->saving);
}

const cli_command cli_command_pretrain = {
    .job = &zf_job_pretrain,
    .print = print,
    .interrupted = interrupted,
    .examples = examples,
    .files = files,
};
