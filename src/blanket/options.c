/* The options of a fit: what they are by default, which make sense, what is left to the library
   and why it chose as it did. */
#include "blanket/options.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "base/grow.h"
#include "blanket/model.h"
#include "data/marginals.h"
#include "train/limits.h"

static bool is_left(uint64_t iterations)
{
    return iterations == (uint64_t)ZF_AUTO;
}

/* The rate of a run of so many iterations; a shorter one has a higher, up to twice. */
static const double RATE = 2e-3, RATE_STEPS = 5000;

/* Of x' given y', which is what gates are learnt by, a point late on the way tells little: its
   velocity hardly depends on x'. So a short run spends its rows on the times before, and a little
   beyond the half, where the zero-flow term asks. What sizes tell is seen around the half, from
   both sides. */
static const double LAST_TIME = 0.6;

void zf_fit_options_init(zf_fit_options *options, size_t size)
{
    const zf_fit_options all = {
        .gate = ZF_GATE_MLP,
        .targets = ZF_TARGET_NODE,
        .size = 5,
        .probability = 0.1,
        .marginals = ZF_MARGINALS_AUTO,
        .iterations = (uint64_t)ZF_AUTO,
        .batch = 400,
        .rate = ZF_AUTO,
        .gate_rate = ZF_AUTO,
        .decay = ZF_AUTO,
        .zero_weight = 0.1,
        .zero_width = 5e-4,
        .sparsity = ZF_AUTO,
        .pruning = ZF_AUTO,
        .exploration = ZF_AUTO,
        .open_gates = ZF_AUTO,
        .hidden = ZF_AUTO,
        .last_time = ZF_AUTO,
        .every = 500,
    };
    zf_give(options, size, &all, sizeof all);
}

int zf_grid_side(size_t variables)
{
    int side = (int)lround(sqrt((double)variables));
    return (size_t)side * (size_t)side == variables ? side : 0;
}

static const zf_gate_about *gate_of(const zf_fit_options *o)
{
    return zf_gate_about_of(o->gate);
}

static zf_status check_gate(const zf_fit_options *o, size_t columns)
{
    const zf_gate_about *gate = gate_of(o);
    if (o->pairs == ZF_PAIRS_ON && !gate->listed)
        return zf_fail(ZF_EINVAL, "pairs: belong to gate mlp, found gate %s", gate->name);
    if (gate->columns == ZF_COLUMNS_ON_GRID && !zf_grid_side(columns))
        return zf_fail(ZF_EINVAL, "gate %s: %zu variables are not a square grid; use mlp or lstm",
                       gate->name, columns);
    if (gate->one_set && (o->targets != ZF_TARGET_SETS || o->sets.count != 1))
        return zf_fail(ZF_EINVAL, "gate %s: has a single vector of gates, expected one target set",
                       gate->name);
    return ZF_OK;
}

static zf_status check_options(const zf_fit_options *o, size_t columns)
{
    ZF_TRY(zf_training_check(
        &(zf_training_numbers){.iterations = is_left(o->iterations) ? 1 : o->iterations,
                               .batch = o->batch,
                               .hidden = o->hidden == ZF_AUTO ? 1 : o->hidden,
                               .rate = o->rate == ZF_AUTO ? 1 : o->rate,
                               .zero_weight = o->zero_weight}));
    if (o->last_time != ZF_AUTO && !(o->last_time >= 0.5 && o->last_time <= 1))
        return zf_fail(ZF_EINVAL, "last time: expected 0.5 to 1, found %g", o->last_time);
    if (!isfinite(o->sparsity) || !isfinite(o->pruning))
        return zf_fail(ZF_EINVAL, "sparsity and pruning: expected numbers, found %g and %g",
                       o->sparsity, o->pruning);
    if (!(o->exploration <= 1))
        return zf_fail(ZF_EINVAL, "exploration: expected a probability, found %g", o->exploration);
    if (!(o->gate_rate > 0 || o->gate_rate == ZF_AUTO) || !isfinite(o->gate_rate) ||
        !isfinite(o->decay))
        return zf_fail(ZF_EINVAL,
                       "rate of the gates and decay: expected finite numbers, the rate 0 or more, "
                       "found %g and %g",
                       o->gate_rate, o->decay);
    if (!(o->held_out < 1) || !isfinite(o->held_out))
        return zf_fail(ZF_EINVAL, "rows held out: expected a share below 1, found %g", o->held_out);
    if (o->criterion == ZF_CRITERION_ANTISYMMETRY && o->zero_time != ZF_ZERO_MIDPOINT)
        return zf_fail(ZF_EINVAL, "criterion antisymmetry: looks at all times; times of the "
                                  "zero-flow term belong to criterion midpoint");
    if (o->zero_time != ZF_ZERO_MIDPOINT && !(o->zero_width > 0 && o->zero_width <= 1))
        return zf_fail(ZF_EINVAL, "width of omega: expected above 0 and at most 1, found %g",
                       o->zero_width);
    return check_gate(o, columns);
}

/* --- what is left to the library ----------------------------------------------------- */

static bool ordered(zf_target_law law)
{
    return law == ZF_TARGET_NEIGHBOURS || law == ZF_TARGET_GRID || law == ZF_TARGET_WINDOW;
}

static bool sizes_lead(const zf_dependence *found)
{
    return found->sizes > found->chance && found->sizes > found->order;
}

/* The zero-flow term asks at the half alone. */
static bool asks_midpoint(const zf_fit_options *o)
{
    return o->criterion == ZF_CRITERION_MIDPOINT && o->zero_time == ZF_ZERO_MIDPOINT;
}

/* How long and how wide a table is trained, by what there is to learn. */
typedef struct course {
    uint64_t iterations;
    int hidden;
    const char *why;
} course;

/* Each pair is met the less often the more columns there are. */
static const course order_course = {2500, ZF_FIT_HIDDEN, "dependence shows in the order of values"};
static const course many_course = {5000, ZF_FIT_HIDDEN,
                                   "dependence shows in the order of values; many columns"};
static const course few_sizes_course = {2500, ZF_FIT_HIDDEN,
                                        "dependence shows in the sizes of values; few columns"};
static const course sizes_course = {5000, ZF_FIT_HIDDEN_SIZES,
                                    "dependence in the sizes of values is learnt slowly"};
static const course sets_course = {5000, ZF_FIT_HIDDEN, "many kinds of target sets"};

static course course_of(const zf_fit_options *o, const zf_dependence *found, size_t columns)
{
    const zf_gate_about *gate = gate_of(o);
    bool near = o->targets == ZF_TARGET_NEIGHBOURS || o->targets == ZF_TARGET_GRID;
    if (!gate->listed) return (course){gate->iterations, ZF_FIT_HIDDEN, gate->why_iterations};
    if (o->targets != ZF_TARGET_NODE && !near) return sets_course;
    if (!sizes_lead(found)) return columns > ZF_FEW_VARIABLES && !near ? many_course : order_course;
    return columns > ZF_FEW_VARIABLES ? sizes_course : few_sizes_course;
}

static void resolve_course(zf_fit_options *o, const zf_dependence *found, size_t columns)
{
    course c = course_of(o, found, columns);
    bool early = gate_of(o)->listed && !sizes_lead(found) && asks_midpoint(o);
    if (is_left(o->iterations)) o->iterations = c.iterations;
    if (o->hidden == ZF_AUTO) o->hidden = c.hidden;
    if (o->rate == ZF_AUTO)
        o->rate = RATE * fmax(1, fmin(2, sqrt(RATE_STEPS / (double)o->iterations)));
    if (o->last_time == ZF_AUTO) o->last_time = early ? LAST_TIME : 1;
}

/* Where sizes lead, the field finds late what the pressure would have closed. A pair is met
   the more often the fewer variables there are, and bears the more. */
static double pruning_for(const zf_fit_options *o, const zf_dependence *found, size_t columns)
{
    double d = (double)columns;
    const zf_gate_about *gate = gate_of(o);
    if (!gate->listed) return gate->pruning * fmin(1, (double)o->iterations / 1000);
    if (sizes_lead(found)) return 0;
    return o->pairs == ZF_PAIRS_ON ? fmin(0.03, 12.5 / (d * d)) : 0.01;
}

zf_status zf_options_resolve(zf_fit_options *o, zf_dependence *found, const double *values,
                             size_t rows, size_t columns)
{
    ZF_TRY(check_options(o, columns));
    ZF_TRY(zf_dependence_measure(found, values, rows, columns));
    if (o->marginals == ZF_MARGINALS_AUTO)
        o->marginals = sizes_lead(found) ? ZF_MARGINALS_STANDARD : ZF_MARGINALS_NORMAL_SCORES;
    resolve_course(o, found, columns);
    if (o->pairs == ZF_PAIRS_AUTO) {
        bool alone = gate_of(o)->listed && !ordered(o->targets) && columns <= ZF_PAIRS_VARIABLES;
        o->pairs = alone ? ZF_PAIRS_ON : ZF_PAIRS_OFF;
    }
    bool opens = o->pairs == ZF_PAIRS_ON && columns <= ZF_FEW_VARIABLES;
    if (o->open_gates < 0) o->open_gates = opens ? (int64_t)(o->iterations / 10) : 0;
    if (o->gate_rate == ZF_AUTO) o->gate_rate = o->pairs == ZF_PAIRS_ON ? 0.3 : 1;
    if (o->pruning < 0) o->pruning = pruning_for(o, found, columns);
    if (o->exploration < 0)
        o->exploration = gate_of(o)->listed && columns >= ZF_EXPLORED_VARIABLES ? 0.05 : 0;
    if (o->sparsity < 0) o->sparsity = gate_of(o)->sparsity;
    if (o->decay < 0) o->decay = fmin(ZF_FIELD_DECAY / (double)rows, ZF_FIELD_DECAY_MOST);
    if (o->held_out < 0) o->held_out = rows >= ZF_HELD_OUT_ROWS ? ZF_HELD_OUT_SHARE : 0;
    return ZF_OK;
}

zf_status zf_fit_resolve(zf_fit_options *options, const double *values, size_t rows, size_t columns)
{
    zf_dependence found;
    zf_fit_options resolved = zf_fit_defaults();
    ZF_TRY(zf_take(&resolved, sizeof resolved, options, "fit"));
    ZF_TRY(zf_options_resolve(&resolved, &found, values, rows, columns));
    zf_give(options, options->struct_size, &resolved, sizeof resolved);
    return ZF_OK;
}

/* --- why ------------------------------------------------------------------------------- */

typedef struct telling {
    zf_fit_choice *choices; /* of the caller, */
    size_t size;            /* bytes each, */
    int n, room;
} telling;

static void __attribute__((format(printf, 4, 5)))
tell(telling *t, const char *option, const char *value, const char *reason, ...)
{
    zf_fit_choice choice = {.option = option};
    va_list rest;
    if (t->n == t->room) return;
    snprintf(choice.value, sizeof choice.value, "%s", value);
    va_start(rest, reason);
    vsnprintf(choice.reason, sizeof choice.reason, reason, rest);
    va_end(rest);
    zf_give_plain((char *)t->choices + (size_t)t->n++ * t->size, t->size, &choice, sizeof choice);
}

/* A number as text; the storage is the caller's. */
static const char *number(char text[32], double value)
{
    snprintf(text, 32, "%.3g", value);
    return text;
}

static void tell_marginals(telling *t, const zf_fit_options *o, const zf_dependence *found)
{
    const char *name = zf_marginals_name(o->marginals);
    if (o->marginals == ZF_MARGINALS_STANDARD)
        tell(t, "marginals", name,
             "the sizes of values say more than their order (%.3g against %.3g)", found->sizes,
             found->order);
    else if (found->sizes > found->chance)
        tell(t, "marginals", name,
             "the order of values says more than their sizes (%.3g against %.3g)", found->order,
             found->sizes);
    else
        tell(t, "marginals", name, "the sizes of values add nothing to their order");
}

static const char *why_last_time(const zf_fit_options *o, const zf_dependence *found)
{
    if (o->last_time < 1) return "gates learn most from early times";
    if (!gate_of(o)->listed) return "early times help gate mlp only";
    return asks_midpoint(o) && sizes_lead(found) ? "dependence in sizes shows at all times"
                                                 : "the zero-flow term uses all times";
}

static void tell_course(telling *t, const zf_fit_options *asked, const zf_fit_summary *summary)
{
    const zf_fit_options *o = &summary->options;
    const zf_dependence *found = &summary->dependence;
    course c = course_of(o, found, summary->columns);
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, o->iterations);
    if (is_left(asked->iterations)) tell(t, "iterations", text, "%s", c.why);
    if (asked->rate == ZF_AUTO)
        tell(t, "rate", number(text, o->rate), "%g in %g iterations, more in fewer", RATE,
             RATE_STEPS);
    if (asked->hidden == ZF_AUTO)
        tell(t, "hidden", number(text, o->hidden), "%s",
             c.hidden == ZF_FIT_HIDDEN ? "as wide as most tables need" : c.why);
    if (asked->last_time == ZF_AUTO)
        tell(t, "last-time", number(text, o->last_time), "%s", why_last_time(o, found));
}

static const char *why_pairs(const zf_fit_options *o)
{
    if (o->pairs == ZF_PAIRS_ON) return "the target sets imply no order of the columns";
    if (!gate_of(o)->listed) return "only for gate mlp";
    return ordered(o->targets) ? "the target sets imply an order of the columns"
                               : "more than 512 columns";
}

static const char *why_pruning(const zf_fit_options *o, const zf_dependence *found)
{
    if (!gate_of(o)->listed) return gate_of(o)->why_pruning;
    if (sizes_lead(found)) return "would close gates before dependence in sizes is learnt";
    return o->pairs == ZF_PAIRS_ON ? "12.5 / columns squared, at most 0.03" : "without pairs";
}

static const char *why_exploration(const zf_fit_options *o)
{
    if (!gate_of(o)->listed) return "only for gate mlp";
    return o->exploration > 0 ? "20 columns or more" : "fewer than 20 columns";
}

static const char *why_open(const zf_fit_summary *summary)
{
    if (summary->options.pairs != ZF_PAIRS_ON) return "without pairs";
    return summary->columns > ZF_FEW_VARIABLES
               ? "more than 30 columns"
               : "a tenth, so that the field sees all columns first";
}

static int explain(telling t, const zf_fit_options *asked, const zf_fit_summary *summary)
{
    const zf_fit_options *o = &summary->options;
    char text[32];
    if (asked->marginals == ZF_MARGINALS_AUTO) tell_marginals(&t, o, &summary->dependence);
    if (asked->pairs == ZF_PAIRS_AUTO)
        tell(&t, "pairs", o->pairs == ZF_PAIRS_ON ? "on" : "off", "%s", why_pairs(o));
    if (asked->gate_rate == ZF_AUTO)
        tell(&t, "gate-rate", number(text, o->gate_rate), "%s pairs",
             o->pairs == ZF_PAIRS_ON ? "with" : "without");
    if (asked->pruning < 0)
        tell(&t, "pruning", number(text, o->pruning), "%s", why_pruning(o, &summary->dependence));
    if (asked->exploration < 0)
        tell(&t, "exploration", number(text, o->exploration), "%s", why_exploration(o));
    if (asked->open_gates < 0)
        tell(&t, "open-gates", number(text, (double)o->open_gates), "%s", why_open(summary));
    if (asked->decay < 0)
        tell(&t, "decay", number(text, o->decay), "%g / rows, at most %g", ZF_FIELD_DECAY,
             ZF_FIELD_DECAY_MOST);
    if (asked->sparsity < 0)
        tell(&t, "sparsity", number(text, o->sparsity), "%s", gate_of(o)->why_sparsity);
    if (asked->held_out < 0)
        tell(&t, "held-out", number(text, o->held_out), "%s than %d rows",
             o->held_out > 0 ? "no fewer" : "fewer", ZF_HELD_OUT_ROWS);
    tell_course(&t, asked, summary);
    return t.n;
}

int zf_fit_explain_sized(zf_fit_choice *choices, size_t size, int room, const zf_fit_options *asked,
                         const zf_fit_summary *summary)
{
    zf_fit_options options = zf_fit_defaults();
    zf_fit_summary found = {.options = options};
    zf_status status = zf_take(&options, sizeof options, asked, "fit");
    if (status == ZF_OK) status = zf_take(&found, sizeof found, summary, "fit");
    if (status != ZF_OK) return 0;
    return explain((telling){.choices = choices, .size = size, .room = room}, &options, &found);
}
