/* Self-supervised learning on pictures: an encoder that keeps what one view of a
   picture knows about another. */
#ifndef ZEROFLOW_VISION_H
#define ZEROFLOW_VISION_H

#ifdef __cplusplus
extern "C" {
#endif

/* What it is trained with. */
typedef enum zf_vision_method {
    ZF_VISION_ZEROFLOW, /* the code of a view is sufficient for the other view */
    ZF_VISION_SIMCLR,   /* the codes of two views are nearer than those of two pictures */
    ZF_VISION_MAE,      /* a vision transformer that fills in masked patches */
} zf_vision_method;

#ifdef __cplusplus
}
#endif
#endif
