#include "files.h"

#include "zeroflow/files.h"

enum { ROLE_BYTES = 64 };

static zf_status tell_one(zf_files *files, cli_type type, const char *role, const char *path)
{
    switch (type) {
    case CLI_FILE:
        return zf_files_reads(files, role, path);
    case CLI_IMAGES:
        return zf_files_reads_all(files, role, path);
    case CLI_OUTPUT:
        return zf_files_writes(files, role, path);
    default:
        return ZF_OK;
    }
}

/* Of options or, with empty dashes, arguments. */
static cli_exit tell(const cli_call *call, const cli_option *options, const cli_value *values,
                     const char *dashes)
{
    for (int i = 0; options && options[i].name; i++) {
        char role[ROLE_BYTES];
        if (!values[i].text) continue;
        snprintf(role, sizeof role, "%s%s", dashes, options[i].name);
        CLI_TRY(cli_check(tell_one(call->files, options[i].type, role, values[i].text)));
    }
    return CLI_DONE;
}

cli_exit cli_files_begin(cli_call *call)
{
    const cli_command *command = call->command;
    CLI_TRY(cli_check(zf_files_new(&call->files)));
    CLI_TRY(tell(call, cli_arguments_of(command), call->arguments, ""));
    CLI_TRY(tell(call, cli_options_of(command), call->values, "--"));
    return cli_check(zf_files_hold(call->files));
}
