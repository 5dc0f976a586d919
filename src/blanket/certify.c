/* Certificates: the test of independence with the targets as x, the blanket as what is
   given and every other variable as y. One regression serves all of them, so that a
   question to 500 variables costs little more than one to a single variable. Members are
   tested one by one, with a regression each.

   Whether the rows are those of training is told by the marginals: fitted to the same
   rows they have the same bits. The model's fingerprint is of no use here, because
   constraints and target sets are mixed into it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "blanket/model.h"
#include "zeroflow/independence.h"

enum { LEFT_OUT, TARGET, MEMBER }; /* what a variable is */

static zf_status mark(unsigned char *roles, const zf_blanket *model, const int32_t *set, size_t n,
                      unsigned char role)
{
    int variables = zf_blanket_variables(model);
    for (size_t i = 0; i < n; i++) {
        if (set[i] < 0 || set[i] >= variables)
            return zf_fail(ZF_EINVAL, "variable %ld of a model of %d", (long)set[i], variables);
        const char *name = zf_blanket_name(model, set[i]);
        unsigned char *old = &roles[set[i]];
        if (*old == TARGET && role == MEMBER)
            return zf_fail(ZF_EINVAL, "\"%s\" is a target and cannot be in its own blanket", name);
        if (*old == role)
            return zf_fail(ZF_EINVAL, "%s \"%s\" is named twice",
                           role == TARGET ? "target" : "member", name);
        *old = role;
    }
    return ZF_OK;
}

static zf_status list_left_out(zf_certificate *c, const unsigned char *roles, int variables)
{
    c->left_out = malloc((size_t)variables * sizeof *c->left_out);
    if (!c->left_out) return zf_fail_memory((size_t)variables * sizeof *c->left_out);
    for (int j = 0; j < variables; j++)
        if (roles[j] == LEFT_OUT) c->left_out[c->n_left_out++] = j;
    if (c->n_left_out > 0) return ZF_OK;
    return zf_fail(
        ZF_EINVAL,
        "targets and blanket are all %d variables: none is left out that could be missing",
        variables);
}

/* Insertion into a ranking, largest gain first; of equals, the earlier variable. */
static zf_status rank(zf_certificate *c)
{
    size_t n = c->n_left_out;
    c->missing = malloc(n * sizeof *c->missing);
    if (!c->missing) return zf_fail_memory(n * sizeof *c->missing);
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        for (; at > 0 && c->test.y[c->missing[at - 1]].gain < c->test.y[i].gain; at--)
            c->missing[at] = c->missing[at - 1];
        c->missing[at] = (int32_t)i;
    }
    return ZF_OK;
}

/* Large p-values first; of equals the earlier variable. */
static int compare_members(const void *a, const void *b)
{
    const zf_member_test *x = a, *y = b;
    if (x->p_value != y->p_value) return x->p_value > y->p_value ? -1 : 1;
    return (x->variable > y->variable) - (x->variable < y->variable);
}

/* Each member against the targets, given the other members: which of them are superfluous. */
static zf_status test_members(zf_certificate *c, const zf_blanket *model, const double *values,
                              size_t rows, const zf_question *sets,
                              const zf_independence_options *options)
{
    size_t n = sets->n_given;
    int32_t *others = malloc((n + 1) * sizeof *others);
    zf_status status = ZF_OK;
    c->members = malloc((n + 1) * sizeof *c->members);
    if (!others || !c->members) status = zf_fail_memory((n + 1) * sizeof *c->members);
    for (size_t i = 0; status == ZF_OK && i < n; i++) {
        zf_independence test = {0};
        zf_question question = {.x = sets->x,
                                .y = &sets->given[i],
                                .given = others,
                                .n_x = sets->n_x,
                                .n_y = 1,
                                .n_given = n - 1};
        for (size_t k = 0; k + 1 < n; k++) others[k] = sets->given[k < i ? k : k + 1];
        status = zf_independence_test(&test, values, rows, model->names,
                                      (size_t)zf_blanket_variables(model), &question, options);
        if (status == ZF_OK)
            c->members[c->n_members++] = (zf_member_test){sets->given[i], test.p_value, test.found};
        zf_independence_free(&test);
    }
    free(others);
    if (status == ZF_OK && n) qsort(c->members, n, sizeof *c->members, compare_members);
    return status;
}

/* Are the marginals those of these values? To float32, if rounded: a file may keep no
   more, of values that were rounded first. */
static zf_status are_marginals_of(bool *out, const zf_marginals *old, const double *values,
                                  size_t rows, bool rounded)
{
    zf_marginals new = {0};
    ZF_TRY(zf_marginals_fit(&new, old->kind, values, rows, old->columns));
    bool same = new.knots == old->knots;
    for (size_t i = 0; same && i < old->columns * old->knots; i++)
        same = rounded ? (float)new.first[i] == (float)old->first[i] &&
                             (float)new.second[i] == (float)old->second[i]
                       : new.first[i] == old->first[i] && new.second[i] == old->second[i];
    zf_marginals_free(&new);
    *out = same;
    return ZF_OK;
}

zf_status zf_blanket_trained_on(bool *out, const zf_blanket *model, const double *values,
                                size_t rows)
{
    size_t count = rows * model->marginals.columns;
    ZF_TRY(are_marginals_of(out, &model->marginals, values, rows, false));
    if (*out || !zf_marginals_are_narrow(&model->marginals)) return ZF_OK;
    double *rounded = malloc(count * sizeof *rounded);
    if (!rounded) return zf_fail_memory(count * sizeof *rounded);
    for (size_t i = 0; i < count; i++) rounded[i] = (double)(float)values[i];
    zf_status status = are_marginals_of(out, &model->marginals, rounded, rows, true);
    free(rounded);
    return status;
}

static zf_status certify(zf_certificate *c, const zf_blanket *model, const double *values,
                         size_t rows, const zf_question *sets,
                         const zf_independence_options *options)
{
    int variables = zf_blanket_variables(model);
    unsigned char *roles = calloc((size_t)variables, 1);
    if (!roles) return zf_fail_memory((size_t)variables);
    zf_status status = mark(roles, model, sets->x, sets->n_x, TARGET);
    if (status == ZF_OK) status = mark(roles, model, sets->given, sets->n_given, MEMBER);
    if (status == ZF_OK) status = list_left_out(c, roles, variables);
    free(roles);
    ZF_TRY(status);
    zf_question question = *sets;
    question.y = c->left_out;
    question.n_y = c->n_left_out;
    ZF_TRY(zf_independence_test(&c->test, values, rows, model->names, (size_t)variables, &question,
                                options));
    ZF_TRY(test_members(c, model, values, rows, sets, options));
    ZF_TRY(zf_blanket_trained_on(&c->trained, model, values, rows));
    return rank(c);
}

zf_status zf_certify_sized(zf_certificate *out, size_t size, const zf_blanket *model,
                           const double *values, size_t rows, const int32_t *targets,
                           size_t n_targets, const int32_t *blanket, size_t n_blanket,
                           const zf_independence_options *options)
{
    zf_certificate certificate = {0};
    zf_question sets = {.x = targets, .given = blanket, .n_x = n_targets, .n_given = n_blanket};
    zf_status status = certify(&certificate, model, values, rows, &sets, options);
    if (status != ZF_OK) {
        zf_certificate_free(&certificate);
        return status;
    }
    certificate.test.struct_size = size - offsetof(zf_certificate, test); /* as the caller has it */
    zf_give(out, size, &certificate, sizeof certificate);
    return ZF_OK;
}

void zf_certificate_free(zf_certificate *certificate)
{
    zf_independence_free(&certificate->test);
    free(certificate->left_out);
    free(certificate->missing);
    free(certificate->members);
    certificate->left_out = certificate->missing = NULL;
    certificate->members = NULL;
    zf_clear(certificate);
}
