#include "job/outputs.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* What an option is called where files are compared: "--checkpoint". */
typedef struct role {
    char text[64];
} role;

static role role_of(const char *option)
{
    role r;
    snprintf(r.text, sizeof r.text, "%.8s%.48s", zf_option_prefix(), option);
    return r;
}

zf_status zf_output_add(zf_run *run, const char *option, const char *path)
{
    ZF_TRY(zf_files_writes(run->files, role_of(option).text, path));
    return zf_files_hold(run->files);
}

zf_status zf_output_folder(zf_run *run, const char *option, const char *path)
{
    return zf_files_folder(run->files, role_of(option).text, path);
}

zf_status zf_output_need_file(const char *path, const char *option)
{
    if (!path || strcmp(path, "-") != 0) return ZF_OK;
    return zf_fail(ZF_EINVAL, "option %s: expected a file, found \"-\" (standard output)",
                   role_of(option).text);
}

bool zf_output_is_figure(const char *path)
{
    size_t n = strlen(path);
    return n > 4 &&
           (strcasecmp(path + n - 4, ".png") == 0 || strcasecmp(path + n - 4, ".svg") == 0);
}

zf_status zf_output_check_figure(const char *path, const char *option)
{
    if (!path || zf_output_is_figure(path)) return ZF_OK;
    return zf_fail(ZF_EINVAL, "option %s: expected a name that ends in .png or .svg, found \"%s\"",
                   role_of(option).text, path);
}

zf_status zf_output_too_long(const char *path)
{
    return zf_fail(ZF_EINVAL, "%.60s...: the path is longer than %d bytes", path, PATH_MAX);
}
