/* Gather, scatter-add, embedding: rows that meet across domains. */
#include "gradients.h"

static zf_node *gather_from_another_domain(gradient_bench *b)
{
    zf_node *source = learn(b, b->other, zf_shape_of(3, 2));
    return zf_gather(source, pick(b, b->rows, ZF_SCALAR, 5, true));
}

static zf_node *gather_elements(gradient_bench *b)
{
    zf_node *source = learn(b, b->other, zf_shape_of(3, 2));
    return zf_gather(source, pick(b, b->rows, zf_shape_of(7), 5 * 3 * 2, true));
}

/* One weight on both sides of the gather: its gradient comes from two domains
   with different numbers of shards. */
static zf_node *weight_in_two_domains(gradient_bench *b)
{
    zf_node *w = weigh(b, zf_shape_of(3, 3));
    zf_node *source = zf_linear(plain(b, b->other, zf_shape_of(3)), w, NULL);
    return zf_linear(zf_gather(source, pick(b, b->rows, ZF_SCALAR, 5, false)), w, NULL);
}

static zf_node *scatter(gradient_bench *b)
{
    zf_node *source = learn(b, b->rows, zf_shape_of(3));
    return zf_scatter_add(source, pick(b, b->rows, ZF_SCALAR, 5, true), b->other);
}

static zf_node *embed_sequence(gradient_bench *b)
{
    return zf_embedding(pick(b, b->rows, zf_shape_of(4), 3, true), weigh(b, zf_shape_of(3, 5)));
}

static zf_node *embed_single(gradient_bench *b)
{
    return zf_embedding(pick(b, b->rows, ZF_SCALAR, 3, false), weigh(b, zf_shape_of(3, 5)));
}

static zf_node *flow(gradient_bench *b, bool of_other, bool timed)
{
    zf_shape image = zf_shape_of(2, 3, 4);
    zf_node *x = plain(b, b->rows, image), *y = plain(b, b->rows, image);
    zf_flow_point point = {x, y, pick(b, b->rows, ZF_SCALAR, 2, true),
                           timed ? plain(b, b->rows, ZF_SCALAR) : NULL};
    zf_node *told = zf_tanh(learn(b, b->rows, image));
    return of_other ? zf_flow_input_other(point, told) : zf_flow_input(point, told);
}

static zf_node *flow_own(gradient_bench *b)
{
    return flow(b, false, false);
}

static zf_node *flow_other(gradient_bench *b)
{
    return flow(b, true, true);
}

/* The same told to both, so that its gradient adds up. */
static zf_node *flow_both(gradient_bench *b)
{
    zf_shape image = zf_shape_of(1, 2, 2);
    zf_node *x = plain(b, b->rows, image), *told = learn(b, b->rows, image);
    zf_flow_point point = {x, x, pick(b, b->rows, ZF_SCALAR, 2, false), NULL};
    return zf_add(zf_flow_input_other(point, told), zf_exp(zf_flow_input(point, told)));
}

const gradient_case pick_cases[] = {
    {"gather", "across domains", gather_from_another_domain},
    {"gather", "elements across domains", gather_elements},
    {"gather", "weight in two domains", weight_in_two_domains},
    {"scatter_add", "across domains", scatter},
    {"embedding", "sequence", embed_sequence},
    {"embedding", "single", embed_single},
    {"flow_input", "own", flow_own},
    {"flow_input_other", "with times", flow_other},
    {"flow_input_other", "and own", flow_both},
    {0},
};
