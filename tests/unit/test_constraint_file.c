/* Constraints from lists of edges. */
#include "support.h"

#include <stdlib.h>

#include "scratch.h"
#include "zeroflow/blanket.h"

enum { D = 4 };
static const char *const NAMES[D] = {"a", "b", "c", "d"};

static void reads_both_lists(void **state)
{
    (void)state;
    zf_constraint *list = NULL;
    int n = -1;
    const char *forbid = scratch_text("forbid", "source,target,score\nc,a,1\nb,d,0\n");
    const char *require = scratch_text("require", "from,to\nd,b\n");
    assert_ok(zf_constraints_read(&list, &n, forbid, require, NAMES, D));
    assert_int_equal(n, 4); /* b,d has the score 0: no edge */
    static const zf_constraint expected[] = {
        {0, 2, false}, {2, 0, false}, {1, 3, true}, {3, 1, true}};
    for (int i = 0; i < n; i++) {
        assert_int_equal(list[i].target, expected[i].target);
        assert_int_equal(list[i].variable, expected[i].variable);
        assert_int_equal(list[i].required, expected[i].required);
    }
    free(list);
    assert_ok(zf_constraints_read(&list, &n, NULL, NULL, NAMES, D));
    assert_int_equal(n, 0);
    free(list);
}

static void names_both_places_of_a_contradiction(void **state)
{
    (void)state;
    zf_constraint *list = NULL;
    int n = -1;
    const char *forbid = scratch_text("forbid", "source,target\na,b\nd,c\n");
    const char *require = scratch_text("require", "source,target\na,c\n\nc,d\n");
    assert_fails(zf_constraints_read(&list, &n, forbid, require, NAMES, D), ZF_EINPUT,
                 "forbid:3: the edge of \"c\" and \"d\" is forbidden here and required in ");
    assert_fails(zf_constraints_read(&list, &n, forbid, require, NAMES, D), ZF_EINPUT, "require:4");
    const char *json =
        scratch_text("json", "{\"nodes\": [\"a\", \"b\"], \"edges\": [{\"source\": \"b\", "
                             "\"target\": \"a\"}]}");
    assert_fails(zf_constraints_read(&list, &n, forbid, json, NAMES, D), ZF_EINPUT, "forbid:2");
    assert_fails(zf_constraints_read(&list, &n, "/absent", NULL, NAMES, D), ZF_EIO, "/absent");
    assert_fails(zf_constraints_read(&list, &n, scratch_text("bad", "source,target\na,bb\n"), NULL,
                                     NAMES, D),
                 ZF_EINPUT, "bad:2: \"bb\"");
    assert_null(list);
    assert_int_equal(n, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_both_lists),
        cmocka_unit_test(names_both_places_of_a_contradiction),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
