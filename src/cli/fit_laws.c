#include "fit_laws.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "suggest.h"

/* The text after "NAME:", or NULL. */
static const char *after(const char *text, const char *name)
{
    size_t n = strlen(name);
    return strncmp(text, name, n) == 0 && text[n] == ':' ? text + n + 1 : NULL;
}

static cli_exit not_a_law(const char *text)
{
    static const char *const laws[] = {"node", "neighbours", "grid", "window:K", "bernoulli:P"};
    cli_suggestion near = {.word = text};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) cli_consider(&near, laws[i]);
    return cli_fail(CLI_USAGE,
                    "option --targets: expected node, neighbours, grid, window:K, bernoulli:P or "
                    "a file, found \"%s\"%s%s%s",
                    text, near.best ? "; did you mean " : "", near.best ? near.best : "",
                    near.best ? "?" : "");
}

/* A law that is a word, with its number if it has one. */
static cli_exit understand_law(zf_fit_options *wish, const char *text, bool *is_law)
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
        return CLI_DONE;
    }
    if (size) {
        long k = strtol(size, &end, 10);
        if (end == size || *end || k < 1 || k > 1 << 20)
            return cli_fail(CLI_USAGE,
                            "option --targets: expected a whole number after window:, found \"%s\"",
                            size);
        wish->targets = ZF_TARGET_WINDOW;
        wish->size = (int)k;
    } else if (probability) {
        double p = strtod(probability, &end);
        if (end == probability || *end || !(p > 0 && p < 1))
            return cli_fail(CLI_USAGE,
                            "option --targets: expected a number between 0 and 1 after bernoulli:, "
                            "found \"%s\"",
                            probability);
        wish->targets = ZF_TARGET_BERNOULLI;
        wish->probability = p;
    } else {
        *is_law = false;
    }
    return CLI_DONE;
}

cli_exit cli_fit_targets(zf_fit_options *wish, zf_target_sets *sets, const cli_call *call,
                         const char *text, const cli_features *features)
{
    bool is_law;
    CLI_TRY(understand_law(wish, text, &is_law));
    if (is_law) return CLI_DONE;
    if (access(text, F_OK) != 0 && !strchr(text, '/') && !strchr(text, '.')) return not_a_law(text);
    CLI_TRY(cli_reads(call, "--targets", text));
    CLI_TRY(cli_check(zf_target_sets_read(sets, text, features->names, features->matrix.columns)));
    wish->targets = ZF_TARGET_SETS;
    wish->sets = *sets;
    return CLI_DONE;
}

cli_exit cli_fit_zero_time(zf_fit_options *wish, const char *text)
{
    const char *omega = after(text, "omega"), *literal = after(text, "literal");
    const char *width = omega ? omega : literal;
    char *end = NULL;
    if (strcmp(text, "midpoint") == 0) return CLI_DONE;
    double b = width ? strtod(width, &end) : 0;
    if (!width || end == width || *end || !(b > 0 && b <= 1))
        return cli_fail(CLI_USAGE,
                        "option --zero-time: expected midpoint, omega:B or literal:B with B above "
                        "0 and at most 1, found \"%s\"",
                        text);
    wish->zero_time = omega ? ZF_ZERO_OMEGA : ZF_ZERO_LITERAL;
    wish->zero_width = b;
    return CLI_DONE;
}
