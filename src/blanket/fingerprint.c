#include "base/fingerprint.h"

#include "blanket/model.h"

uint64_t zf_fit_fingerprint(const double *values, size_t rows, size_t columns,
                            const zf_fit_options *options)
{
    uint64_t hash = zf_fingerprint(ZF_FINGERPRINT_START, values, 2 * rows * columns);
    const zf_target_sets *sets = &options->sets;
    if (options->targets == ZF_TARGET_SETS) {
        hash = zf_fingerprint(hash, sets->first, (size_t)sets->count + 1);
        hash = zf_fingerprint(hash, sets->items, (size_t)sets->first[sets->count]);
    }
    for (int i = 0; i < options->n_constraints; i++) {
        const zf_constraint *c = &options->constraints[i];
        int32_t words[] = {c->target, c->variable, c->required};
        hash = zf_fingerprint(hash, words, 3);
    }
    if (options->held_out > 0 && options->groups)
        hash = zf_fingerprint(hash, options->groups, 2 * rows);
    int32_t block[] = {(int32_t)options->block};
    if (options->held_out > 0 && options->block > 1) hash = zf_fingerprint(hash, block, 1);
    return hash;
}
