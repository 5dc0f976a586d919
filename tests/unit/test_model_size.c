/* Models that claim more than their file holds are refused for that, before memory is asked
   for: each is loaded with less memory than its claim would take. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/safetensors.h"
#include "limited.h"
#include "scratch.h"
#include "zeroflow/blanket.h"
#include "zeroflow/flow.h"
#include "zeroflow/reduce.h"
#include "zeroflow/vision.h"

enum { MOST_ITEMS = 20100, LIMIT = 60, REFUSED = 1, OUT_OF_MEMORY = 2, LOADED = 3 };

typedef struct lie {
    const char *claim; /* "key=value key=value ..." */
    const char *named; /* key of names; NULL: none */
    int names;
    const char *message;
} lie;

typedef zf_status (*loader)(const char *path);

/* Writes a file with these words and names, and marginals for as many columns as there are
   names, which are true. */
static const char *forge(const lie *claim)
{
    static zf_metadata items[MOST_ITEMS];
    static char words[1024], keys[MOST_ITEMS][24];
    size_t n = 0;
    snprintf(words, sizeof words, "zeroflow.format=1 zeroflow.kind=model seed=1 %s", claim->claim);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        *value = '\0';
        items[n++] = (zf_metadata){word, value + 1};
    }
    for (int i = 0; i < claim->names; i++) {
        snprintf(keys[i], sizeof keys[i], "%s.%d", claim->named, i);
        items[n++] = (zf_metadata){keys[i], keys[i]};
    }
    static float ones[MOST_ITEMS];
    for (int i = 0; i < MOST_ITEMS; i++) ones[i] = 1;
    const char *path = scratch_path("lie.model");
    const zf_tensor tensors[] = {
        {.name = "margin.first", .rank = 2, .dim = {claim->names, 1}, .data = ones},
        {.name = "margin.second", .rank = 2, .dim = {claim->names, 1}, .data = ones},
    };
    assert_ok(zf_safetensors_write(path, tensors, 2, items, n));
    return path;
}

typedef struct attempt {
    loader load;
    const char *path, *message;
} attempt;

static int try_to_load(const void *context)
{
    const attempt *a = context;
    zf_status status = a->load(a->path);
    if (status == ZF_ENOMEM) return OUT_OF_MEMORY;
    if (status == ZF_OK) return LOADED;
    bool as_told = status == ZF_EINPUT && strstr(zf_error(), a->message);
    if (!as_told) fprintf(stderr, "%s\n", zf_error());
    return as_told ? REFUSED : 0;
}

static void refused_within_limits(loader load, const lie *lies, size_t n)
{
    if (!can_limit_memory()) skip();
    for (size_t i = 0; i < n; i++) {
        attempt a = {load, forge(&lies[i]), lies[i].message};
        assert_int_equal(outcome_within(LIMIT, try_to_load, &a), REFUSED);
    }
}

static zf_status load_blanket(const char *path)
{
    zf_blanket *model = NULL;
    zf_status status = zf_blanket_load(&model, path);
    zf_blanket_free(model);
    return status;
}

#define PLAIN "task=blanket margins=standard options= inputs=1 "

static void blankets(void **state)
{
    (void)state;
    static const lie lies[] = {
        {PLAIN "gate=mlp features=4 side=0 most_targets=1 pairs=0 hidden=16384 knots=1 "
               "constrained=0",
         "feature", 4, "expected a tensor of"},
        {PLAIN "gate=mlp features=20000 side=0 most_targets=20000 pairs=1 hidden=256 knots=1 "
               "constrained=1",
         "feature", 20000, "expected a tensor of"},
        {PLAIN "gate=lstm features=20000 side=0 most_targets=1 pairs=0 hidden=16384 knots=1 "
               "constrained=1",
         "feature", 20000, "expected a tensor of"},
        {PLAIN "gate=cnn features=10000 side=100 most_targets=1 pairs=0 hidden=256 knots=1 "
               "constrained=1",
         "feature", 10000, "expected a tensor of"},
    };
    refused_within_limits(load_blanket, lies, sizeof lies / sizeof *lies);
}

static zf_status load_flow(const char *path)
{
    zf_flow *model = NULL;
    zf_status status = zf_flow_load(&model, path);
    zf_flow_free(model);
    return status;
}

static void flows(void **state)
{
    (void)state;
    static const lie lies[] = {
        {"task=flow columns.x=1000 columns.f=0 columns.y=1000 hidden=16384 layers=6", NULL, 0,
         "expected a tensor of"},
    };
    refused_within_limits(load_flow, lies, 1);
}

static zf_status load_reduction(const char *path)
{
    zf_reduction *model = NULL;
    zf_status status = zf_reduction_load(&model, path);
    zf_reduction_free(model);
    return status;
}

static void reductions(void **state)
{
    (void)state;
    static const lie lies[] = {
        {"task=reduction margins=standard options= inputs=3 targets=0 dim=2 kept=2 hidden=9 "
         "knots=1 given=1",
         "input", 3, "\"targets\" is \"0\""},
        {"task=reduction margins=standard options= inputs=10000 targets=1 dim=64 kept=2 "
         "hidden=16384 knots=1 given=1 target.0=t",
         "input", 10000, "expected a tensor of"},
    };
    refused_within_limits(load_reduction, lies, sizeof lies / sizeof *lies);
}

static zf_status load_vision(const char *path)
{
    zf_vision *model = NULL;
    zf_status status = zf_vision_load(&model, path);
    zf_vision_free(model);
    return status;
}

#define IMAGES                                                                                     \
    "task=vision watermark=none pixels=0 rate=1 decay=0 zero_weight=1 temperature=1 masked=0.5 "   \
    "view.least_area=1 view.most_area=1 view.least_ratio=1 view.most_ratio=1 view.mirrored=0 "     \
    "view.noise=0 channels=3 iterations=1 pictures=1 watch_every=0 view.seed=1 given=1 batch=2 "   \
    "patch=4 blocks=1 heads=1 decoder.dim=8 decoder.blocks=1 decoder.heads=1 "

static void images(void **state)
{
    (void)state;
    static const lie lies[] = {
        {IMAGES "method=zeroflow size=512 hidden=16 dim=4096", NULL, 0, "expected a tensor of"},
        {IMAGES "method=simclr size=32 hidden=8192 dim=8", NULL, 0, "expected a tensor of"},
    };
    refused_within_limits(load_vision, lies, sizeof lies / sizeof *lies);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blankets),
        cmocka_unit_test(flows),
        cmocka_unit_test(reductions),
        cmocka_unit_test(images),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
