/* The blanket that a model gives a set of targets: decided by evidence, or by gates as a rule
   says. */
#ifndef ZF_JOB_MEMBERSHIP_H
#define ZF_JOB_MEMBERSHIP_H

#include "job/names.h"

#define ZF_MODEL_HELP "Model written by zeroflow fit."

/* Why a model cannot decide, and what that means, in words. */
#define ZF_NO_EVIDENCE    "the model holds no evidence (zeroflow fit adds it to 30 rows or more)"
#define ZF_NO_EVIDENCE_SO "so it is unknown which gates are due to chance"

/* At which false discovery rate something is decided: the beginning of the row; its field, default
   and help follow. */
#define ZF_FDR_OPTION "fdr", .type = ZF_OPTION_REAL, .placeholder = "Q", .most = 1, .between = true

/* The row of what asks a model. */
#define ZF_MODEL_FDR_ROW(of, member)                                                               \
    {                                                                                              \
        ZF_FDR_OPTION, ZF_FIELD(of, member),                                                       \
            .fallback = "0.1",                                                                     \
            .help =                                                                                \
                "Expected share of false edges among those found, by the evidence in the model."   \
    }

typedef struct zf_membership_values {
    double fdr;
    double threshold; /* ZF_AUTO: not by gates */
    int32_t top;      /* ZF_AUTO: not by gates */
} zf_membership_values;

extern const zf_membership_values zf_membership_defaults;

#define ZF_MEMBERSHIP_ROWS(of, member)                                                             \
    ZF_MODEL_FDR_ROW(of, member.fdr),                                                              \
        {"threshold",                                                                              \
         .type = ZF_OPTION_REAL,                                                                   \
         .placeholder = "G",                                                                       \
         ZF_FIELD(of, member.threshold),                                                           \
         .least = 0,                                                                               \
         .most = 1,                                                                                \
         .otherwise = "by the evidence; without it, 0.1",                                          \
         .help =                                                                                   \
             "Use gates instead of evidence: a variable is a member if its gate is at least G."},  \
    {                                                                                              \
        "top",                                                                                     \
            .type = ZF_OPTION_WHOLE, .placeholder = "K", ZF_FIELD(of, member.top), .least = 1,     \
            .most = 1 << 20, .otherwise = "by the evidence",                                       \
            .help =                                                                                \
                "Use gates instead of evidence: the members are the K variables with the largest " \
                "gates."                                                                           \
    }

/* By what the members were chosen. */
typedef enum zf_rule { ZF_BY_EVIDENCE, ZF_BY_THRESHOLD, ZF_BY_TOP } zf_rule;

typedef struct zf_members {
    zf_member *list; /* all variables but the targets, members first; for free(). Without evidence
                        in the model only variables and gates are set */
    int n;           /* of these, the members of the blanket */
    int n_others;    /* in the list */
    zf_rule rule;
    double limit; /* the false discovery rate, or the least gate */
} zf_members;

/* What a model of a file is asked. */
typedef struct zf_asked {
    const zf_blanket *model;
    const char *path;
    const int32_t *targets;
    int n_targets;
} zf_asked;

/* ZF_EINVAL: options that cannot be used together, or what zf_blanket_query refuses. */
zf_status zf_ask_blanket(zf_members *out, const zf_run *run, const zf_asked *asked,
                         const zf_membership_values *values) ZF_CHECK;

/* ZF_EINVAL: the rate was asked for, and the model holds no evidence. */
zf_status zf_need_evidence(const zf_run *run, const zf_blanket *model, const double *fdr) ZF_CHECK;

/* Passes on a failure where a model of a file was evaluated: if that left the finite numbers, the
   file is what cannot be used (ZF_EINPUT), and the message begins with it. */
zf_status zf_check_model(zf_status status, const char *path) ZF_CHECK;

#endif
