/* The test of every pair of variables of one set of rows: of a table, or of a half of it. */
#ifndef ZF_EVIDENCE_TRIAL_H
#define ZF_EVIDENCE_TRIAL_H

#include "base/progress.h"
#include "evidence/result.h"
#include "evidence/rows.h"

/* The units of the rows, as the options tell them: rows that belong together are put together.
   ZF_EINVAL: groups as well as a block, a group that is not finite. ZF_ENOMEM. */
zf_status zf_evidence_arrange(zf_unit_rows *rows, zf_arena *arena,
                              const zf_evidence_options *options) ZF_CHECK;

/* Can these rows be tested? ZF_EINPUT, as zf_evidence_test. */
zf_status zf_evidence_check(const zf_unit_rows *rows, const char *const *names,
                            const zf_evidence_options *options) ZF_CHECK;

/* How much is done. */
typedef struct zf_scope {
    const unsigned char *wanted; /* [columns]: pairs of two variables that are not wanted are left
                                    out, with p- and q-values of 1; NULL: all are wanted */
    double fdr;                  /* blankets are made of the edges at this rate; 0: none */
    bool lines;                  /* what lines say is kept, if there are straight lines alone */
} zf_scope;

/* Fills in the controls and pairs of a new result, with q-values, stand-ins and what is
   superfluous. pace is that of a share of the work, or NULL. LAPACK is open. A column may be
   constant: nothing is found of it. ZF_ENOMEM, ZF_ENUMERIC, ZF_EINTERRUPT. */
zf_status zf_trial_run(zf_evidence *result, const zf_unit_rows *rows, zf_scope scope, zf_crew *crew,
                       zf_pace *pace) ZF_CHECK;

#endif
