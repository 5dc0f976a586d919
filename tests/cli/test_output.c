/* Numbers on their way to JSON. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

typedef struct page {
    char *text;
    size_t length;
    cli_call call;
} page;

static void begin(page *p)
{
    *p = (page){0};
    p->call.out = open_memstream(&p->text, &p->length);
    assert_non_null(p->call.out);
}

static void end(page *p)
{
    fclose(p->call.out);
    free(p->text);
}

static void finite_and_absent_numbers(void **state)
{
    (void)state;
    page p;
    begin(&p);
    json_t *object = json_pack("{s:o s:o s:o}", "a", cli_json_number(0.5), "b",
                               cli_json_optional(NAN), "c", cli_json_optional(-2));
    assert_int_equal(cli_print_json(&p.call, object), CLI_DONE);
    fflush(p.call.out);
    assert_string_equal(p.text, "{\n  \"a\": 0.5,\n  \"b\": null,\n  \"c\": -2.0\n}\n");
    end(&p);
}

/* Last: what was noted is not forgotten. */
static void no_json_of_what_is_not_finite(void **state)
{
    (void)state;
    page p;
    begin(&p);
    json_t *object = json_pack("{s:o s:[o {s:o}]}", "good", cli_json_number(1), "list",
                               cli_json_number(2), "p_value", cli_json_optional(INFINITY));
    assert_int_equal(cli_print_json(&p.call, object), CLI_FAILED);
    assert_string_equal(cli_message(), "p_value is inf, expected a finite number");
    fflush(p.call.out);
    assert_int_equal(p.length, 0);
    end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finite_and_absent_numbers),
        cmocka_unit_test(no_json_of_what_is_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
