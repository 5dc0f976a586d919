#include "small.h"

small small_new(int rows, int shards)
{
    small s = {0};
    assert_ok(zf_params_new(&s.params, 1));
    assert_ok(zf_graph_new(&s.graph, s.params));
    assert_ok(zf_crew_new(&s.crew, 1));
    s.rows = zf_graph_domain(s.graph, "rows", rows, shards);
    assert_non_null(s.rows);
    return s;
}

void small_plan(small s, zf_node *result)
{
    assert_ok(zf_graph_plan(s.graph, result, &result, result ? 1 : 0, 1));
}

void small_forward(small s, zf_mode mode)
{
    zf_graph_forward(s.graph, s.crew, mode);
}

void small_backward(small s, zf_node *result)
{
    size_t n = zf_shape_size(zf_node_shape(result));
    for (size_t i = 0; i < n; i++) zf_node_grad(result)[i] = 1;
    zf_graph_backward(s.graph, s.crew);
}

void small_free(small s)
{
    zf_crew_free(s.crew);
    zf_graph_free(s.graph);
    zf_params_free(s.params);
}

void assert_refused(small s, const zf_node *node, const char *text)
{
    assert_null(node);
    assert_fails(zf_graph_plan(s.graph, NULL, NULL, 0, 1), ZF_EINVAL, text);
    small_free(s);
}
