/* The chi-square law with any positive, also broken, degrees of freedom. */
#ifndef ZF_BASE_CHI_SQUARE_H
#define ZF_BASE_CHI_SQUARE_H

/* Natural logarithm of the share of the law that lies above x; 0 for x <= 0. To
   1e-10 relative as far out as the logarithm reaches. */
double zf_chi_square_log_tail(double x, double freedom);

#endif
