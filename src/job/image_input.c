#include "job/image_input.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/words.h"
#include "job/answer.h"

const char *const zf_image_part_names[] = {"train", "test", "unlabelled", NULL};
const char *const zf_watermark_names[] = {"none", "patch", "colour", NULL};

void zf_image_values_defaults(zf_image_values *values)
{
    values->size = ZF_AUTO;
}

zf_images_options zf_image_wish(const zf_image_values *values, const zf_run *run)
{
    zf_images_options wish = zf_images_defaults();
    if (values->size != ZF_AUTO) wish.size = values->size;
    wish.part = values->part;
    wish.labels = values->labels;
    wish.memory = values->memory << 20;
    wish.threads = run->threads;
    return wish;
}

/* --- opening ------------------------------------------------------------------------- */

zf_status zf_image_input_open(zf_images **out, zf_run *run, const char *path,
                              const zf_images_options *options)
{
    zf_images_options wish = *options;
    zf_images *images = NULL;
    wish.report = run->report;
    ZF_TRY(zf_images_open(&images, path, &wish));
    const char *labels = zf_images_describe(images)->labels;
    zf_status status = labels ? zf_files_reads_all(run->files, "the labels", labels) : ZF_OK;
    if (status == ZF_OK)
        *out = images;
    else
        zf_images_free(images);
    return status;
}

zf_status zf_image_input_open_tests(zf_images **out, zf_run *run, const char *path,
                                    zf_images_options *wish)
{
    wish->part = ZF_IMAGES_TEST;
    zf_status status = zf_image_input_open(out, run, path, wish);
    if (status != ZF_EINPUT && status != ZF_EIO) return status;
    wish->part = ZF_IMAGES_TRAIN;
    zf_images *whole = NULL;
    char message[2048];
    snprintf(message, sizeof message, "%s", zf_error());
    ZF_TRY(zf_image_input_open(&whole, run, path, wish));
    if (zf_images_describe(whole)->kind == ZF_IMAGES_FOLDER) {
        *out = whole;
        return ZF_OK;
    }
    zf_images_free(whole);
    return zf_fail(status, "%s", message);
}

zf_status zf_image_input_with_model(zf_vision **model, zf_images **images, zf_run *run,
                                    const char *model_path, const char *images_path,
                                    const zf_image_values *values)
{
    zf_images_options wish = zf_image_wish(values, run);
    ZF_TRY(zf_vision_load(model, model_path));
    int size = zf_vision_size(*model);
    if (wish.size != 0 && wish.size != size)
        return zf_fail(ZF_EINVAL, "option {size}: %s needs images of %d pixels a side, found %d",
                       model_path, size, wish.size);
    wish.size = size;
    return zf_image_input_open(images, run, images_path, &wish);
}

zf_status zf_vision_status(zf_status status, const char *model_path)
{
    if (status != ZF_ENUMERIC) return status;
    return zf_fail(ZF_EINPUT,
                   "%s: %s; the weights of the model, or its input values, are too large",
                   model_path, zf_error());
}

/* --- what was left out ----------------------------------------------------------------- */

void zf_image_input_warn(zf_run *run, zf_status status, const zf_images *images)
{
    const zf_images_about *about = images ? zf_images_describe(images) : NULL;
    bool ended = status == ZF_OK || status == ZF_EINTERRUPT;
    if (about && about->refused > 0 && ended)
        zf_warn(run, "%s: %s left out, %s used; the first left out is %s: %s",
                zf_images_path(images), zf_count(about->refused).text,
                zf_plural(about->count - about->lost, "image").text, about->refusals[0].name,
                about->refusals[0].reason);
}

static void add_refusals(json_t *list, const zf_images *images)
{
    const zf_images_about *about = zf_images_describe(images);
    for (size_t i = 0; i < about->n_refusals; i++)
        zf_answer_add(list,
                      json_pack("{s:o s:o s:o}", "source", zf_answer_text(zf_images_path(images)),
                                "name", zf_answer_text(about->refusals[i].name), "reason",
                                zf_answer_text(about->refusals[i].reason)));
}

void zf_image_input_answer(json_t *object, const zf_images *a, const zf_images *b)
{
    const zf_images *sets[] = {a, b == a ? NULL : b};
    json_t *list = json_array();
    size_t refused = 0, lost = 0;
    for (int i = 0; i < 2; i++) {
        if (!sets[i]) continue;
        refused += zf_images_describe(sets[i])->refused;
        lost += zf_images_describe(sets[i])->lost;
        add_refusals(list, sets[i]);
    }
    zf_answer_set(object, "refused", zf_answer_count(refused));
    zf_answer_set(object, "lost", zf_answer_count(lost));
    zf_answer_set(object, "refusals", list);
}

/* --- places ------------------------------------------------------------------------------ */

/* folder/name if it is there, for one of the names. */
static bool find(char path[PATH_MAX], const char *folder, const char *const *names)
{
    struct stat found;
    for (; *names; names++) {
        if (snprintf(path, PATH_MAX, "%s/%s", folder, *names) >= PATH_MAX) continue;
        if (stat(path, &found) == 0) return true;
    }
    return false;
}

bool zf_image_input_parts(char train[PATH_MAX], char test[PATH_MAX], const char *folder)
{
    static const char *const trains[] = {"train.tar", "train.tar.gz", "train", NULL};
    static const char *const tests[] = {"val.tar",     "val.tar.gz", "val", "test.tar",
                                        "test.tar.gz", "test",       NULL};
    return find(train, folder, trains) && find(test, folder, tests);
}

size_t zf_evenly(size_t k, size_t n, size_t all)
{
    return (2 * k + 1) * all / (2 * n);
}
