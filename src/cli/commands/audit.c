/* zeroflow audit: which pixels the codes of a model depend on, as numbers for each ninth of the
   image. */
#include "job/audit.h"

#include "command.h"
#include "output.h"
#include "text.h"

static const cli_example examples[] = {
    {"zeroflow audit photos.model photos -o audit.png --samples 4",
     "Which part of four images their codes depend on."},
    {NULL},
};

static void print(const cli_call *call, const void *given, const void *result)
{
    FILE *out = call->out;
    const zf_audit_values *values = given;
    const zf_audit_result *found = result;
    int largest = found->largest;
    fprintf(out, "What the codes of %s depend on, by ninths of the image:\n\n",
            zf_plural(found->samples, "image").text);
    for (int row = 0; row < ZF_AUDIT_THIRDS; row++) {
        for (int column = 0; column < ZF_AUDIT_THIRDS; column++)
            fprintf(out, "  %5.1f %%", 100 * found->share[row * ZF_AUDIT_THIRDS + column]);
        fputc('\n', out);
    }
    fprintf(out,
            "\n"
            "The %s has the most, %.0f %%; an even share is 11 %%.\n"
            "A part with far more than its share, away from the subject of the images, is a "
            "shortcut.\n",
            zf_audit_ninths[largest], 100 * found->share[largest]);
    cli_tell_figure(call, values->output);
}

const cli_command cli_command_audit = {
    .job = &zf_job_audit,
    .print = print,
    .examples = examples,
};
