#include "image_input.h"

#include <sys/stat.h>

#include "files.h"
#include "output.h"
#include "progress.h"
#include "text.h"

const char *const cli_parts[] = {"train", "test", "unlabelled", NULL};
const char *const cli_watermarks[] = {"none", "patch", "colour", NULL};

zf_images_options cli_image_options(const cli_call *call, const cli_value *first)
{
    zf_images_options wish = zf_images_defaults();
    if (first[CLI_SIZE].given) wish.size = (int)first[CLI_SIZE].whole;
    wish.part = (zf_images_part)cli_place_of(first[CLI_PART].text, cli_parts);
    wish.labels = first[CLI_LABELS].text;
    wish.memory = first[CLI_MEMORY].whole << 20;
    wish.threads = call->threads;
    return wish;
}

cli_exit cli_open_images(zf_images **out, const cli_call *call, const char *path,
                         const zf_images_options *options)
{
    zf_images_options wish = *options;
    cli_progress progress;
    wish.report = cli_progress_report(&progress);
    cli_progress_begin(&progress, call);
    zf_images *images = NULL;
    zf_status status = zf_images_open(&images, path, &wish);
    cli_progress_end(&progress);
    CLI_TRY(cli_check(status));
    const char *labels = zf_images_describe(images)->labels;
    cli_exit exit = labels ? cli_reads(call, "the labels", labels) : CLI_DONE;
    if (exit == CLI_DONE)
        *out = images;
    else
        zf_images_free(images);
    return exit;
}

void cli_close_images(const cli_call *call, cli_exit exit, zf_images *images)
{
    const zf_images_about *about = images ? zf_images_describe(images) : NULL;
    bool ended = exit == CLI_DONE || exit == CLI_INTERRUPTED;
    if (about && about->refused > 0 && ended)
        cli_warn(call, "%s: %s left out, %s used; the first left out is %s: %s",
                 zf_images_path(images), cli_count(about->refused).text,
                 cli_plural(about->count - about->lost, "image").text, about->refusals[0].name,
                 about->refusals[0].reason);
    zf_images_free(images);
}

static int append_refusals(json_t *list, const zf_images *images)
{
    const zf_images_about *about = zf_images_describe(images);
    for (size_t i = 0; i < about->n_refusals; i++) {
        json_t *one = json_pack("{s:o s:o s:o}", "source", cli_json_text(zf_images_path(images)),
                                "name", cli_json_text(about->refusals[i].name), "reason",
                                cli_json_text(about->refusals[i].reason));
        if (json_array_append_new(list, one) != 0) return -1;
    }
    return 0;
}

json_t *cli_add_refusals(json_t *object, const zf_images *a, const zf_images *b)
{
    const zf_images *sets[] = {a, b == a ? NULL : b};
    json_t *list = json_array();
    size_t refused = 0, lost = 0;
    int failed = object && list ? 0 : -1;
    for (int i = 0; i < 2 && !failed; i++) {
        if (!sets[i]) continue;
        refused += zf_images_describe(sets[i])->refused;
        lost += zf_images_describe(sets[i])->lost;
        failed = append_refusals(list, sets[i]);
    }
    if (!failed) failed = json_object_set_new(object, "refused", json_integer((json_int_t)refused));
    if (!failed) failed = json_object_set_new(object, "lost", json_integer((json_int_t)lost));
    if (!failed) failed = json_object_set(object, "refusals", list);
    json_decref(list);
    if (!failed) return object;
    json_decref(object);
    return NULL;
}

cli_exit cli_open_test_images(zf_images **out, const cli_call *call, const char *path,
                              zf_images_options *options)
{
    options->part = ZF_IMAGES_TEST;
    cli_exit exit = cli_open_images(out, call, path, options);
    if (exit != CLI_INPUT) return exit;
    options->part = ZF_IMAGES_TRAIN;
    zf_images *whole = NULL;
    char message[2048];
    snprintf(message, sizeof message, "%s", cli_message());
    cli_exit opened = cli_open_images(&whole, call, path, options);
    if (opened == CLI_DONE && zf_images_describe(whole)->kind == ZF_IMAGES_FOLDER) {
        *out = whole;
        return CLI_DONE;
    }
    zf_images_free(whole);
    return opened == CLI_DONE ? cli_fail(exit, "%s", message) : opened;
}

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

bool cli_find_parts(char train[PATH_MAX], char test[PATH_MAX], const char *folder)
{
    static const char *const trains[] = {"train.tar", "train.tar.gz", "train", NULL};
    static const char *const tests[] = {"val.tar",     "val.tar.gz", "val", "test.tar",
                                        "test.tar.gz", "test",       NULL};
    return find(train, folder, trains) && find(test, folder, tests);
}
