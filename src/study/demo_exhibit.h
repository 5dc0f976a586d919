/* How what the demo has found is put into its folder. */
#ifndef ZF_STUDY_DEMO_EXHIBIT_H
#define ZF_STUDY_DEMO_EXHIBIT_H

#include "study/demo.h"

/* Data and truth; to be written before the long work, so that an interrupted demo
   leaves what can be looked at. */
zf_status exhibit_write_sample(const zf_demo_result *x);

/* The models. */
zf_status exhibit_write_models(const zf_demo_result *x);

/* Everything that follows from them: graphs, figures, the page. */
zf_status exhibit_write_rest(const zf_demo_result *x);

/* The page's name in the folder. */
zf_status exhibit_page(const zf_demo_result *x, char path[PATH_MAX]);

#endif
