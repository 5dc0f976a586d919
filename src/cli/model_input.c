#include "model_input.h"

#include "name_input.h"

static const char *name(const void *model, int i)
{
    return zf_blanket_name(model, i);
}

static int find(const void *model, const char *wanted)
{
    return zf_blanket_find(model, wanted);
}

cli_exit cli_find_features(int32_t **targets, int *n, const zf_blanket *model,
                           const cli_value *names, const char *label)
{
    cli_names features = {.of = model,
                          .count = zf_blanket_features(model),
                          .name = name,
                          .find = find,
                          .owner = "the model",
                          .noun = "feature"};
    return cli_find_names(targets, n, &features, names, label);
}
