/* The standard normal law. */
#ifndef ZF_BASE_NORMAL_H
#define ZF_BASE_NORMAL_H

/* The z below which a share p of the law lies; 0 < p < 1. To 1e-15 relative. */
double zf_normal_quantile(double p);

/* Share of the law that lies farther from 0 than z, on both sides: the p-value
   of a two-sided test. */
double zf_normal_two_sided(double z);

#endif
