#include "job/saving.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/words.h"
#include "job/outputs.h"

zf_status zf_saving_begin(zf_saving *saving, const zf_saving_values *values, const char *model,
                          zf_run *run)
{
    const char *given = values->checkpoint;
    if (!model)
        return zf_fail(ZF_EINVAL,
                       "option {output} is missing: name a file for the model, as {output} MODEL");
    ZF_TRY(zf_output_need_file(model, "output"));
    ZF_TRY(zf_output_need_file(given, "checkpoint"));
    saving->model = model;
    int length = snprintf(saving->checkpoint, PATH_MAX, "%s%s", given ? given : model,
                          given ? "" : ".checkpoint");
    if (length >= PATH_MAX) return zf_output_too_long(saving->checkpoint);
    return given ? ZF_OK : zf_output_add(run, "checkpoint", saving->checkpoint);
}

zf_status zf_saving_save(const zf_saving *saving, zf_status (*save)(void *model, const char *path),
                         void *model)
{
    char first[1024], folder[PATH_MAX], path[2 * PATH_MAX];
    if (save(model, saving->model) == ZF_OK) return ZF_OK;
    snprintf(first, sizeof first, "%s", zf_error());
    const char *temporary = getenv("TMPDIR"), *slash = strrchr(saving->model, '/');
    snprintf(folder, sizeof folder, "%s/zeroflow-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(folder))
        return zf_fail(ZF_EOUTPUT, "%s; cannot make %s either: %s", first, folder, strerror(errno));
    snprintf(path, sizeof path, "%s/%s", folder, slash ? slash + 1 : saving->model);
    if (save(model, path) == ZF_OK)
        return zf_fail(ZF_EOUTPUT, "%s; the model is in %s instead", first, path);
    rmdir(folder);
    return zf_fail(ZF_EOUTPUT, "%s; nor elsewhere: %s", first, zf_error());
}

zf_status zf_saving_stop(zf_saving *saving, uint64_t done, uint64_t wanted, uint64_t saved)
{
    const char *lacks = saving->lacks;
    saving->stopped = true;
    saving->done = done;
    saving->wanted = wanted;
    saving->saved = saved;
    zf_small after = zf_count(done), of = zf_count(wanted);
    if (!zf_saving_can_resume(saving))
        return zf_fail(
            ZF_EINTERRUPT,
            "interrupted after %s of %s iterations; saved %s%s%s, but no checkpoint to continue "
            "from",
            after.text, of.text, saving->model, lacks ? " without " : "", lacks ? lacks : "");
    return zf_fail(ZF_EINTERRUPT, "interrupted after %s of %s iterations; saved %s%s%s%s and %s",
                   after.text, of.text, saving->model, lacks ? " without " : "", lacks ? lacks : "",
                   lacks ? "," : "", saving->checkpoint);
}

bool zf_saving_can_resume(const zf_saving *saving)
{
    return saving->stopped && saving->saved == saving->done;
}
