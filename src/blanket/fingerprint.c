/* What a run was given, as one number: FNV-1a over 32-bit words. */
#include <string.h>

#include "blanket/model.h"

static uint64_t mix(uint64_t hash, const void *bytes, size_t n_words)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < n_words; i++, at += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, at, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
    }
    return hash;
}

uint64_t zf_fit_fingerprint(const float *values, size_t rows, size_t columns,
                            const zf_fit_options *options)
{
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), values, rows * columns);
    const zf_target_sets *sets = &options->sets;
    if (options->targets == ZF_TARGET_SETS) {
        hash = mix(hash, sets->first, (size_t)sets->count + 1);
        hash = mix(hash, sets->items, (size_t)sets->first[sets->count]);
    }
    for (int i = 0; i < options->n_constraints; i++) {
        const zf_constraint *c = &options->constraints[i];
        int32_t words[] = {c->target, c->feature, c->required};
        hash = mix(hash, words, 3);
    }
    return hash;
}
