#include "by_name.h"

#include <string.h>

#include "support.h"

zf_options *options_of(const char *job, const char *const *pairs)
{
    zf_options *options;
    assert_ok(zf_options_new(&options, job));
    for (; *pairs; pairs += 2) assert_ok(zf_options_set(options, pairs[0], pairs[1]));
    return options;
}

json_t *answer_of(const char *job, const char *const *pairs, zf_context *context,
                  zf_status expected)
{
    zf_options *options = options_of(job, pairs);
    zf_result *result = NULL;
    char *text;
    zf_status status = zf_run_job(&result, context, options);
    if (status != expected) print_error("%s: %s\n", job, zf_error());
    assert_int_equal(status, expected);
    assert_ok(zf_result_json(&text, result));
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    zf_free(text);
    zf_result_free(result);
    zf_options_free(options);
    return json;
}

char *document_of(const char *job, const char *const *pairs)
{
    zf_options *options = options_of(job, pairs);
    zf_result *result = NULL;
    size_t n;
    assert_ok(zf_run_job(&result, NULL, options));
    const char *document = zf_result_document(result, &n);
    assert_non_null(document);
    assert_int_equal(strlen(document), n);
    char *copy = strdup(document);
    zf_result_free(result);
    zf_options_free(options);
    return copy;
}

void refuse(const char *job, const char *const *pairs, zf_status expected, const char *text)
{
    zf_options *options = options_of(job, pairs);
    zf_result *result = NULL;
    assert_fails(zf_run_job(&result, NULL, options), expected, text);
    assert_null(result);
    zf_options_free(options);
}

static bool stop(void *context, const zf_progress *progress)
{
    (void)context;
    return progress->steps == 0;
}

zf_context *impatient(void)
{
    zf_context *context;
    assert_ok(zf_context_new(&context, 1));
    zf_context_set_report(context, (zf_report){.progress = stop});
    return context;
}

json_int_t whole(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}
