#include "small.h"

small small_new(int rows, int shards)
{
    small s = {0};
    assert_ok(zf_params_new(&s.params, 1));
    assert_ok(zf_program_new(&s.program, s.params));
    assert_ok(zf_crew_new(&s.crew, 1));
    s.rows = zf_program_domain(s.program, "rows", rows, shards);
    assert_non_null(s.rows);
    return s;
}

void small_plan(small s, zf_node *result)
{
    assert_ok(zf_program_plan(s.program, result, &result, result ? 1 : 0, 1));
}

void small_forward(small s, zf_mode mode)
{
    zf_program_forward(s.program, s.crew, mode);
}

void small_backward(small s, zf_node *result)
{
    size_t n = zf_shape_size(zf_node_shape(result));
    for (size_t i = 0; i < n; i++) zf_node_grad(result)[i] = 1;
    zf_program_backward(s.program, s.crew);
}

void small_free(small s)
{
    zf_crew_free(s.crew);
    zf_program_free(s.program);
    zf_params_free(s.params);
}

void assert_refused(small s, const zf_node *node, const char *text)
{
    assert_null(node);
    assert_fails(zf_program_plan(s.program, NULL, NULL, 0, 1), ZF_EINVAL, text);
    small_free(s);
}
