/* JSON: what RFC 8259 allows is read, what it forbids is refused at its place. */
#include "support.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "io/json.h"

/* A copy of the text in exactly its own memory, so that a sanitizer sees a step beyond. */
typedef struct sample {
    char *text;
    zf_json *root;
    zf_json_fault fault;
    zf_status status;
} sample;

static sample parse_bytes(const char *text, size_t n)
{
    sample s = {.text = malloc(n + !n)};
    assert_non_null(s.text);
    memcpy(s.text, text, n);
    s.status = zf_json_parse(&s.root, s.text, n, &s.fault);
    return s;
}

static sample parse(const char *text)
{
    return parse_bytes(text, strlen(text));
}

static void release(sample *s)
{
    free(s->root);
    free(s->text);
}

static void values_are_what_they_say(void **state)
{
    (void)state;
    sample s =
        parse(" {\"a\" : [ 1 , -2.5e+3,true,false,null ],\r\n\t\"b\":{},\"c\":[],\"\":\"x\"} ");
    assert_int_equal(s.status, ZF_OK);
    assert_true(zf_json_is(s.root, ZF_JSON_OBJECT));
    assert_int_equal(s.root->n, 4);
    const zf_json *a = zf_json_member(s.root, "a"), *value = a->first;
    static const zf_json_kind kinds[] = {ZF_JSON_NUMBER, ZF_JSON_NUMBER, ZF_JSON_TRUE,
                                         ZF_JSON_FALSE, ZF_JSON_NULL};
    assert_int_equal(a->n, 5);
    for (int i = 0; i < 5; i++, value = value->next) assert_int_equal(value->kind, kinds[i]);
    assert_null(value);
    assert_memory_equal(a->first->next->text, "-2.5e+3", 7);
    assert_int_equal(a->first->next->n, 7);
    assert_int_equal(zf_json_member(s.root, "b")->n, 0);
    assert_null(zf_json_member(s.root, "c")->first);
    assert_string_equal(zf_json_text(zf_json_member(s.root, "")), "x");
    assert_null(zf_json_member(s.root, "d"));
    assert_null(zf_json_member(a, "a"));
    assert_null(zf_json_text(a));
    release(&s);
}

static void strings_are_decoded(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"[\"\"]", ""},
        {"[\"a\\\"\\\\\\/\\b\\f\\n\\r\\tz\"]", "a\"\\/\b\f\n\r\tz"},
        {"[\"\\u0041\\u00e9\\u20AC\"]", "A\xc3\xa9\xe2\x82\xac"},
        {"[\"\\ud834\\udd1e\"]", "\xf0\x9d\x84\x9e"},
        {"[\"\\uDBFF\\uDFFF\"]", "\xf4\x8f\xbf\xbf"},
        {"[\"\xc3\xa9\xf0\x9d\x84\x9e\x7f\"]", "\xc3\xa9\xf0\x9d\x84\x9e\x7f"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        sample s = parse(pairs[i][0]);
        assert_int_equal(s.status, ZF_OK);
        assert_string_equal(zf_json_text(s.root->first), pairs[i][1]);
        assert_int_equal(s.root->first->n, strlen(pairs[i][1]));
        release(&s);
    }
}

static void counts_are_whole_and_not_negative(void **state)
{
    (void)state;
    uint64_t count = 7;
    sample s = parse("[0, 12, 9223372036854775807, 9223372036854775808, 99999999999999999999, -1,"
                     " 1.0, 1e3, \"1\"]");
    static const uint64_t good[] = {0, 12, INT64_MAX};
    const zf_json *value = s.root->first;
    for (int i = 0; i < 3; i++, value = value->next) {
        assert_true(zf_json_count(value, &count));
        assert_int_equal(count, good[i]);
    }
    for (; value; value = value->next) assert_false(zf_json_count(value, &count));
    assert_false(zf_json_count(NULL, &count));
    assert_int_equal(count, INT64_MAX);
    release(&s);
}

static void refuses_what_is_not_json(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t offset, line;
        const char *expected;
    } bad[] = {
        {"", 0, 1, "{ or ["},
        {"1", 0, 1, "{ or ["},
        {"\xef\xbb\xbf{}", 0, 1, "{ or ["},
        {"{} x", 3, 1, "nothing behind"},
        {"[1,]", 3, 1, "a value"},
        {"[1 2]", 3, 1, "a comma or ]"},
        {"{\"a\":1,}", 7, 1, "a name"},
        {"{\"a\" 1}", 5, 1, "a colon"},
        {"{a:1}", 1, 1, "a name"},
        {"[", 1, 1, "a value"},
        {"[01]", 2, 1, "a comma"},
        {"[-]", 2, 1, "a digit"},
        {"[1.]", 3, 1, "a digit"},
        {"[1e]", 3, 1, "a digit"},
        {"[+1]", 1, 1, "a value"},
        {"[.5]", 1, 1, "a value"},
        {"[NaN]", 1, 1, "a value"},
        {"[nul]", 1, 1, "a value"},
        {"[\"a]", 4, 1, "a quote"},
        {"[\"\\x\"]", 3, 1, "behind a backslash"},
        {"[\"\\u12g4\"]", 6, 1, "hexadecimal"},
        {"[\"\\u0000\"]", 8, 1, "no NUL"},
        {"[\"\\ud800\"]", 8, 1, "surrogate"},
        {"[\"\\ud800\\u0041\"]", 14, 1, "surrogate"},
        {"[\"\\udc00\"]", 8, 1, "surrogate"},
        {"[\"\xff\"]", 2, 1, "UTF-8"},
        {"[\"\xed\xa0\x80\"]", 2, 1, "UTF-8"},
        {"[\n\"a\\nb\",\n\"a\tb\"]", 12, 3, "control character"},
        {"{\"a\":1,\n\"b\":2,\"\\u0061\":3}", 25, 2, "no name twice"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sample s = parse(bad[i].text);
        if (s.status != ZF_EINPUT) print_error("case %zu: %s\n", i, bad[i].text);
        assert_int_equal(s.status, ZF_EINPUT);
        assert_null(s.root);
        if (!strstr(s.fault.expected, bad[i].expected) || s.fault.offset != bad[i].offset)
            print_error("case %zu: %s: at %zu %s\n", i, bad[i].text, s.fault.offset,
                        s.fault.expected);
        assert_non_null(strstr(s.fault.expected, bad[i].expected));
        assert_int_equal(s.fault.offset, bad[i].offset);
        assert_int_equal(s.fault.line, bad[i].line);
        release(&s);
    }
    sample nul = parse_bytes("[\"a\0b\"]", 7);
    assert_int_equal(nul.status, ZF_EINPUT);
    release(&nul);
}

static void depth_has_a_limit(void **state)
{
    (void)state;
    char text[2 * ZF_JSON_DEPTH + 8];
    for (int depth = ZF_JSON_DEPTH; depth <= ZF_JSON_DEPTH + 1; depth++) {
        memset(text, '[', (size_t)depth);
        text[depth] = '1';
        memset(text + depth + 1, ']', (size_t)depth);
        sample s = parse_bytes(text, 2 * (size_t)depth + 1);
        assert_int_equal(s.status, depth == ZF_JSON_DEPTH ? ZF_OK : ZF_EINPUT);
        release(&s);
    }
}

static void many_names_are_told_apart(void **state)
{
    (void)state;
    enum { N = 3000 };
    char *text = malloc(N * 16);
    for (int twice = 0; twice <= 1; twice++) {
        size_t n = (size_t)sprintf(text, "{");
        for (int i = 0; i < N; i++)
            n += (size_t)sprintf(text + n, "\"n%d\":%d,", twice && i == N - 1 ? 5 : i, i);
        text[n - 1] = '}';
        sample s = parse_bytes(text, n);
        assert_int_equal(s.status, twice ? ZF_EINPUT : ZF_OK);
        uint64_t count;
        if (!twice) assert_true(zf_json_count(zf_json_member(s.root, "n2999"), &count));
        if (!twice) assert_int_equal(count, 2999);
        release(&s);
    }
    free(text);
}

/* jansson is right as long as it has memory: every text that differs by a byte from a good one
   is JSON to both or to neither. */
static void agrees_with_jansson(void **state)
{
    (void)state;
    static const char good[] =
        "{\"a\\u00e9\":[1,-0.5e-7,\"\\ud834\\udd1e \\\"x\"],\"b\":{\"c\":null,"
        "\"d\":true}, \"\xc3\xa9\":[[],{}]}";
    static const char bytes[] = "\"\\{}[],:0159-+.eEuabcdfnlrst \n\t\x01\x7f\x80\xc3\xff/";
    char text[sizeof good];
    for (size_t i = 0; i < sizeof good - 1; i++)
        for (size_t k = 0; k < sizeof bytes - 1; k++) {
            memcpy(text, good, sizeof good);
            text[i] = bytes[k];
            json_t *theirs = json_loadb(text, sizeof good - 1, JSON_REJECT_DUPLICATES, NULL);
            sample ours = parse_bytes(text, sizeof good - 1);
            if ((ours.status == ZF_OK) != (theirs != NULL)) print_error("%s\n", text);
            assert_int_equal(ours.status == ZF_OK, theirs != NULL);
            if (theirs) assert_int_equal(ours.root->n, json_object_size(theirs));
            json_decref(theirs);
            release(&ours);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_what_they_say),
        cmocka_unit_test(strings_are_decoded),
        cmocka_unit_test(counts_are_whole_and_not_negative),
        cmocka_unit_test(refuses_what_is_not_json),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(many_names_are_told_apart),
        cmocka_unit_test(agrees_with_jansson),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
