#include "training.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "gather.h"
#include "output.h"
#include "progress.h"
#include "text.h"

const char *const cli_criteria[] = {"midpoint", "antisymmetry", NULL};

void cli_default_whole(cli_value *value, uint64_t number)
{
    value->set = true;
    value->whole = number;
}

void cli_default_real(cli_value *value, double number)
{
    value->set = true;
    value->real = number;
}

void cli_default_word(cli_value *value, const char *text)
{
    value->set = true;
    value->text = text;
}

cli_exit cli_training_begin(cli_training *t, const cli_value *first)
{
    const char *given = first[CLI_CHECKPOINT].text;
    if (!t->model)
        return cli_fail(CLI_USAGE, "option -o is missing: say where the model goes, as -o MODEL");
    CLI_TRY(cli_need_file(t->model, "-o"));
    if (given) CLI_TRY(cli_need_file(given, "--checkpoint"));
    int length = snprintf(t->checkpoint, PATH_MAX, "%s%s", given ? given : t->model,
                          given ? "" : ".checkpoint");
    if (length >= PATH_MAX)
        return cli_fail(CLI_USAGE, "%.60s...: the path is longer than %d bytes", t->checkpoint,
                        PATH_MAX);
    return given ? CLI_DONE : cli_writes(t->call, "--checkpoint", t->checkpoint);
}

cli_exit cli_training_save(const cli_training *t, zf_status (*save)(void *model, const char *path),
                           void *model)
{
    char first[1024], folder[PATH_MAX], path[2 * PATH_MAX];
    if (save(model, t->model) == ZF_OK) return CLI_DONE;
    snprintf(first, sizeof first, "%s", zf_error());
    const char *temporary = getenv("TMPDIR"), *slash = strrchr(t->model, '/');
    snprintf(folder, sizeof folder, "%s/zeroflow-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(folder))
        return cli_fail(CLI_FAILED, "%s; nor can %s be made: %s", first, folder, strerror(errno));
    snprintf(path, sizeof path, "%s/%s", folder, slash ? slash + 1 : t->model);
    if (save(model, path) == ZF_OK)
        return cli_fail(CLI_FAILED, "%s; the model is in %s instead", first, path);
    rmdir(folder);
    return cli_fail(CLI_FAILED, "%s; nor elsewhere: %s", first, zf_error());
}

cli_exit cli_training_interrupted(const cli_training *t, uint64_t done, uint64_t wanted,
                                  uint64_t saved)
{
    cli_gathered resume;
    char model[PATH_MAX + 64]; /* with what it lacks */
    snprintf(model, sizeof model, "%s%s%.40s", t->model, t->lacks ? " without " : "",
             t->lacks ? t->lacks : "");
    if (saved != done)
        return cli_fail(CLI_INTERRUPTED,
                        "interrupted after %s of %s iterations; saved %s, but no checkpoint to go "
                        "on from",
                        cli_count(done).text, cli_count(wanted).text, model);
    const char *comma = t->lacks ? "," : "";
    if (cli_gather(&resume)) cli_print_resume(resume.out, t->call);
    if (cli_gather_end(&resume))
        cli_fail(CLI_INTERRUPTED,
                 "interrupted after %s of %s iterations; saved %s%s and %s; go on with: %s",
                 cli_count(done).text, cli_count(wanted).text, model, comma, t->checkpoint,
                 resume.text);
    else
        cli_fail(CLI_INTERRUPTED, "interrupted; saved %s%s and %s", model, comma, t->checkpoint);
    free(resume.text);
    return CLI_INTERRUPTED;
}
