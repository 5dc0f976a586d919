#include "training.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static bool same_file(const char *a, const char *b)
{
    struct stat first, second;
    if (strcmp(a, b) == 0) return true;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && S_ISREG(first.st_mode) &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* Found out before training rather than after it. */
static cli_exit check_place(const char *path)
{
    char folder[PATH_MAX];
    struct stat found;
    if (stat(path, &found) == 0 && S_ISDIR(found.st_mode))
        return cli_fail(CLI_INPUT, "%s: is a folder, expected the name of a file to write", path);
    if (snprintf(folder, sizeof folder, "%s", path) >= PATH_MAX)
        return cli_fail(CLI_USAGE, "%.60s...: the path is longer than %d bytes", path, PATH_MAX);
    char *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder] = '\0';
    if (access(slash ? folder : ".", W_OK | X_OK) == 0) return CLI_DONE;
    return cli_fail(CLI_INPUT, "%s: cannot write into its folder: %s", path, strerror(errno));
}

cli_exit cli_training_begin(cli_training *t, const cli_value *first)
{
    const char *given = first[CLI_CHECKPOINT].text;
    if (!t->model)
        return cli_fail(CLI_USAGE, "option -o is missing: say where the model goes, as -o MODEL");
    int length = snprintf(t->checkpoint, PATH_MAX, "%s%s", given ? given : t->model,
                          given ? "" : ".checkpoint");
    if (length >= PATH_MAX)
        return cli_fail(CLI_USAGE, "%.60s...: the path is longer than %d bytes", t->checkpoint,
                        PATH_MAX);
    if (same_file(t->model, t->checkpoint))
        return cli_fail(CLI_USAGE, "%s: the model and the checkpoint cannot be one file", t->model);
    if (same_file(t->model, t->data) || same_file(t->checkpoint, t->data))
        return cli_fail(CLI_USAGE, "%s: is the data, and would be overwritten", t->data);
    if (t->history && (same_file(t->history, t->model) || same_file(t->history, t->checkpoint) ||
                       same_file(t->history, t->data)))
        return cli_fail(CLI_USAGE, "%s: the history cannot be one file with another", t->history);
    CLI_TRY(check_place(t->model));
    if (t->history) CLI_TRY(check_place(t->history));
    return check_place(t->checkpoint);
}

cli_exit cli_training_interrupted(const cli_training *t, uint64_t done, uint64_t wanted)
{
    char *resume = NULL;
    size_t length;
    FILE *stream = open_memstream(&resume, &length);
    if (!stream) return cli_fail(CLI_INTERRUPTED, "interrupted; saved %s", t->checkpoint);
    cli_print_resume(stream, t->call);
    if (fclose(stream) == 0)
        cli_fail(CLI_INTERRUPTED,
                 "interrupted after %s of %s iterations; saved %s and %s; go on with: %s",
                 cli_count(done).text, cli_count(wanted).text, t->model, t->checkpoint, resume);
    free(resume);
    return CLI_INTERRUPTED;
}
