/* The figure of a certificate: what would help, what is needed, and a portrait of what is missed
   most. */
#include <stdlib.h>

#include "base/words.h"
#include "job/certify.h"

enum { MISSING_DRAWN = 15, MEMBERS_DRAWN = 30 };

static zf_bars list_missing(const zf_certify_result *found, double level, zf_bar *list)
{
    zf_names names = zf_model_names(found->model);
    size_t n = found->certificate.n_left_out;
    n = n < MISSING_DRAWN ? n : MISSING_DRAWN;
    for (size_t rank = 0; rank < n; rank++) {
        int32_t variable;
        const zf_independence_part *part = zf_certify_missing(&variable, found, rank);
        list[rank] = zf_finding_bar(zf_blanket_name(found->model, variable), part->gain,
                                    part->p_value <= level, part->p_value, &part->found, &names);
    }
    return (zf_bars){.title = "Left out: what would help most",
                     .label = "gain: share of what the blanket leaves unexplained",
                     .bars = list,
                     .n = n};
}

static zf_bars list_members(const zf_certify_result *found, double level, zf_bar *list)
{
    const zf_certificate *c = &found->certificate;
    zf_names names = zf_model_names(found->model);
    size_t n = c->n_members < MEMBERS_DRAWN ? c->n_members : MEMBERS_DRAWN;
    for (size_t i = 0; i < n; i++) {
        const zf_member_test *m = &c->members[i];
        list[i] = zf_finding_bar(zf_blanket_name(found->model, m->variable), zf_zeros(m->p_value),
                                 m->p_value <= level, m->p_value, &m->found, &names);
    }
    return (zf_bars){.title = "Members, each given the others: least needed first",
                     .label = "-log10 of the p-value (1 is 0.1, 2 is 0.01)",
                     .bars = list,
                     .n = n,
                     .mark = zf_zeros(level),
                     .mark_name = "needed from here on"};
}

/* The variable with the largest gain of those that appear to be missing; none: NULL. */
static const zf_independence_part *most_missed(const zf_certify_result *found, double level)
{
    for (size_t rank = 0; rank < found->certificate.n_left_out; rank++) {
        int32_t variable;
        const zf_independence_part *part = zf_certify_missing(&variable, found, rank);
        if (part->p_value <= level) return part;
    }
    return NULL;
}

/* Its portrait, the target upwards. */
static zf_status portray(zf_portrait *portrait, const zf_certify_result *found,
                         const zf_finding *missed, const zf_matrix *matrix,
                         const char *const *names, const zf_independence_options *wish)
{
    const zf_certificate *c = &found->certificate;
    zf_question question = {found->targets,           c->left_out,   found->blanket,
                            (size_t)found->n_targets, c->n_left_out, (size_t)found->n_blanket};
    zf_finding turned = *missed;
    turned.x = missed->y;
    turned.y = missed->x;
    return zf_independence_portrait(portrait, matrix->values, matrix->rows, names, matrix->columns,
                                    &question, &turned, wish);
}

/* "The blanket of x4: x3, x5, on 600 rows: something is missing (p = 0.01)" */
static zf_status write_title(char **title, const zf_certify_result *found, double level)
{
    const zf_independence *test = &found->certificate.test;
    zf_names names = zf_model_names(found->model);
    char *targets = NULL, *blanket = NULL;
    zf_status status = zf_names_text(&targets, &names, found->targets, (size_t)found->n_targets);
    if (status == ZF_OK)
        status = zf_names_text(&blanket, &names, found->blanket, (size_t)found->n_blanket);
    if (status == ZF_OK)
        status =
            zf_figure_text(title, "The blanket of %s: %s, on %s: %s (p = %.2g)", targets,
                           found->n_blanket ? blanket : "empty", zf_plural(test->rows, "row").text,
                           zf_certify_verdict(found, level), test->p_value);
    free(targets);
    free(blanket);
    return status;
}

zf_status zf_certify_draw(const zf_certify_result *found, const zf_certify_values *values,
                          const zf_matrix *matrix, const char *const *names, const zf_run *run)
{
    zf_bar missing[MISSING_DRAWN], members[MEMBERS_DRAWN];
    double level = values->level;
    const zf_independence_part *part = most_missed(found, level);
    zf_independence_options wish = zf_independence_wish(values->draws, run);
    zf_portrait portrait = {0};
    char *title = NULL;
    ZF_TRY(write_title(&title, found, level));
    zf_status status = part ? portray(&portrait, found, &part->found, matrix, names, &wish) : ZF_OK;
    zf_bars bars[] = {list_missing(found, level, missing), list_members(found, level, members)};
    zf_portrait_panel panel = {&portrait, part ? part->p_value : 1, names,
                               found->n_blanket ? "the blanket" : NULL};
    zf_findings findings = {bars, found->certificate.n_members ? 2 : 1, &panel, part ? 1 : 0};
    zf_figure figure = {.title = title};
    if (status == ZF_OK) status = zf_plot_findings(values->plot, &figure, &findings, 1);
    zf_portrait_free(&portrait);
    free(title);
    return status;
}
