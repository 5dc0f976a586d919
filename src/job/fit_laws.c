#include "job/fit_laws.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "zeroflow/nearest.h"

/* The text after "NAME:", or NULL. */
static const char *after(const char *text, const char *name)
{
    size_t n = strlen(name);
    return strncmp(text, name, n) == 0 && text[n] == ':' ? text + n + 1 : NULL;
}

static zf_status not_a_law(const char *text)
{
    static const char *const laws[] = {"node", "neighbours", "grid", "window:K", "bernoulli:P"};
    const char *near = zf_nearest(text, laws, sizeof laws / sizeof *laws);
    return zf_fail(ZF_EINVAL,
                   "option {targets}: expected node, neighbours, grid, window:K, bernoulli:P or "
                   "a file, found \"%s\"%s%s%s",
                   text, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

/* A law that is a word, with its number if it has one. */
static zf_status understand_law(zf_fit_options *wish, const char *text, bool *is_law)
{
    static const char *const names[] = {[ZF_TARGET_NODE] = "node",
                                        [ZF_TARGET_NEIGHBOURS] = "neighbours",
                                        [ZF_TARGET_GRID] = "grid"};
    const char *size = after(text, "window"), *probability = after(text, "bernoulli");
    char *end = NULL;
    *is_law = true;
    for (int law = 0; law <= ZF_TARGET_GRID; law++) {
        if (strcmp(text, names[law]) != 0) continue;
        wish->targets = (zf_target_law)law;
        return ZF_OK;
    }
    if (size) {
        long k = strtol(size, &end, 10);
        if (end == size || *end || k < 1 || k > 1 << 20)
            return zf_fail(ZF_EINVAL,
                           "option {targets}: expected a whole number after window:, found \"%s\"",
                           size);
        wish->targets = ZF_TARGET_WINDOW;
        wish->size = (int)k;
    } else if (probability) {
        double p = strtod(probability, &end);
        if (end == probability || *end || !(p > 0 && p < 1))
            return zf_fail(ZF_EINVAL,
                           "option {targets}: expected a number between 0 and 1 after bernoulli:, "
                           "found \"%s\"",
                           probability);
        wish->targets = ZF_TARGET_BERNOULLI;
        wish->probability = p;
    } else {
        *is_law = false;
    }
    return ZF_OK;
}

zf_status zf_fit_targets(zf_fit_options *wish, zf_target_sets *sets, zf_run *run, const char *text,
                         const zf_variables *variables)
{
    bool is_law;
    ZF_TRY(understand_law(wish, text, &is_law));
    if (is_law) return ZF_OK;
    if (access(text, F_OK) != 0 && !strchr(text, '/') && !strchr(text, '.')) return not_a_law(text);
    char role[32];
    snprintf(role, sizeof role, "%stargets", zf_option_prefix());
    ZF_TRY(zf_files_reads_all(run->files, role, text));
    ZF_TRY(zf_target_sets_read(sets, text, variables->names, variables->matrix.columns));
    wish->targets = ZF_TARGET_SETS;
    wish->sets = *sets;
    return ZF_OK;
}

zf_status zf_fit_zero_time(zf_fit_options *wish, const char *text)
{
    const char *omega = after(text, "omega"), *literal = after(text, "literal");
    const char *width = omega ? omega : literal;
    char *end = NULL;
    if (strcmp(text, "midpoint") == 0) return ZF_OK;
    double b = width ? strtod(width, &end) : 0;
    if (!width || end == width || *end || !(b > 0 && b <= 1))
        return zf_fail(ZF_EINVAL,
                       "option {zero-time}: expected midpoint, omega:B or literal:B with B above "
                       "0 and at most 1, found \"%s\"",
                       text);
    wish->zero_time = omega ? ZF_ZERO_OMEGA : ZF_ZERO_LITERAL;
    wish->zero_width = b;
    return ZF_OK;
}
