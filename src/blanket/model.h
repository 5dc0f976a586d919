/* A blanket model in memory: parameters, names, marginals, and programs that answer
   queries. */
#ifndef ZF_BLANKET_MODEL_H
#define ZF_BLANKET_MODEL_H

#include "base/arena.h"
#include "base/spares.h"
#include "blanket/calibrate.h"
#include "data/marginals.h"
#include "net/field.h"
#include "net/gates.h"
#include "train/checkpoint.h"
#include "zeroflow/blanket.h"

enum { ZF_BLANKET_MEASURES = 4 }; /* loss, rectified, zero, mean_gate */

/* What a model is besides its numbers; all of it goes into the file. */
typedef struct zf_blanket_shape {
    zf_gate_options gate;
    int hidden;
    zf_marginals_kind marginals;
    int knots; /* of the marginals */
    bool constrained;
} zf_blanket_shape;

/* What it was trained on, and for how long; zeros: a file does not say. */
typedef struct zf_blanket_training {
    uint64_t rows, held_out, iterations;
} zf_blanket_training;

struct zf_blanket {
    zf_blanket_shape shape;
    uint64_t seed;
    uint64_t inputs; /* zf_fit_fingerprint of what it was trained on */
    zf_arena arena;  /* names, fixed targets and the text of the options */
    const char **names;
    const int32_t *fixed; /* free gates: the one target set that they are for */
    int n_fixed;
    const char *options_text; /* how it was trained, for people and for resuming */
    zf_blanket_training training;
    zf_params *params;
    zf_marginals marginals;
    zf_history history;
    unsigned char *constraints; /* [variables * variables] as in step.h; NULL: none */
    zf_evidence *evidence;      /* NULL: none */
    zf_calibration calibration; /* of the gates, by the evidence */
    zf_spares askers;           /* programs that answer queries */
    zf_crew *crew;              /* of one, so that all may run on it */
};

/* A model without numbers; names are copied. */
zf_status zf_blanket_new(zf_blanket **out, const zf_blanket_shape *shape, uint64_t seed,
                         const char *const *names) ZF_CHECK;

/* Free gates: the target set that they are for, which is copied. ZF_ENOMEM. */
zf_status zf_blanket_fix_targets(zf_blanket *model, const int32_t *targets, int n) ZF_CHECK;

/* A number that other values, target sets or constraints would not give: a run
   is resumed only on what it began with. */
uint64_t zf_fit_fingerprint(const double *values, size_t rows, size_t columns,
                            const zf_fit_options *options);

/* Declares what the file holds beside the gates (field, constraints) as
   parameters and buffers, builds the query program and fixes the set. `from`: a file
   that must hold all of them (zf_model_check); NULL: none. The program asks for up to
   2^18 times the memory of a gate, or for that of one row of gates. */
zf_status zf_blanket_prepare(zf_blanket *model, const zf_safetensors *from) ZF_CHECK;

#endif
