/* What jobs write: names that are checked before the work begins. */
#ifndef ZF_JOB_OUTPUTS_H
#define ZF_JOB_OUTPUTS_H

#include "job/job.h"

/* One file more that the job writes, by the option from which its name was made: "checkpoint".
   The job holds it from now on. */
zf_status zf_output_add(zf_run *run, const char *option, const char *path) ZF_CHECK;

/* Makes the folder of results that an option names. */
zf_status zf_output_folder(zf_run *run, const char *option, const char *path) ZF_CHECK;

/* ZF_EINVAL: path is "-" for an output that has to be a file. NULL is fine. */
zf_status zf_output_need_file(const char *path, const char *option) ZF_CHECK;

/* Whether a file of that name is a figure: it ends in .png or .svg, in any case. */
bool zf_output_is_figure(const char *path);

/* ZF_EINVAL: it is no figure by its name. NULL is fine. */
zf_status zf_output_check_figure(const char *path, const char *option) ZF_CHECK;

/* The complaint about a path that leads beyond PATH_MAX. */
zf_status zf_output_too_long(const char *path);

#endif
