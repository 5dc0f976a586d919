/* zeroflow bench: the engine's speed as a table or as JSON. */
#include "zeroflow/bench.h"

#include <string.h>

#include "job/answer.h"
#include "output.h"
#include "progress.h"
#include "terminal.h"
#include "text.h"

enum { ONLY, SECONDS };

static const zf_option options[] = {
    [ONLY] = {"only", .type = ZF_OPTION_TEXT, .placeholder = "TEXT", .otherwise = "all cases",
              .help = "Run only the cases whose name contains this text."},
    [SECONDS] = {"seconds", .type = ZF_OPTION_REAL, .placeholder = "S", .least = 0.001,
                 .most = 3600, .help = "Time to spend on each case."},
    {NULL},
};

static const cli_example examples[] = {
    {"zeroflow bench --only linear --seconds 0.05", "A quick look at the linear layers."},
    {"zeroflow bench --only step-blanket-mlp --seconds 0.05",
     "A whole step of blanket training, with time and memory."},
    {"zeroflow bench --only train --seconds 0.05 --json > bench.json",
     "Training of single networks, as JSON."},
    {NULL},
};

static void defaults(cli_value *values)
{
    values[SECONDS].set = true;
    values[SECONDS].real = zf_bench_defaults().seconds;
}

static cli_exit print_json(const cli_call *call, const zf_bench *bench)
{
    json_t *cases = json_array();
    for (int i = 0; i < zf_bench_count(bench); i++) {
        const zf_bench_case *c = zf_bench_at(bench, i);
        zf_answer_add(
            cases, json_pack("{s:o s:i s:o s:o s:o s:o s:o s:o}", "name", zf_answer_text(c->name),
                             "threads", c->threads, "ms", zf_answer_number(c->ms), "gflops",
                             zf_answer_number(c->gflops), "peak", zf_answer_number(c->peak),
                             "share", zf_answer_number(c->share), "bytes",
                             zf_answer_number(c->bytes), "rate", zf_answer_number(c->rate)));
    }
    return cli_print_json(call, json_pack("{s:o s:i s:o s:o s:o}", "peak_gflops",
                                          zf_answer_number(zf_bench_peak_gflops(bench)), "threads",
                                          zf_bench_threads(bench), "isa",
                                          zf_answer_text(zf_bench_isa(bench)), "blas",
                                          zf_answer_text(zf_bench_blas(bench)), "cases", cases));
}

static void print_text(FILE *out, const zf_bench *bench)
{
    int names = 4;
    for (int i = 0; i < zf_bench_count(bench); i++) {
        int width = (int)strlen(zf_bench_at(bench, i)->name);
        names = width > names ? width : names;
    }
    fprintf(out, "sgemm reaches %.1f GFLOP/s on one thread; %s in use\n%s kernels, %s\n\n",
            zf_bench_peak_gflops(bench),
            zf_plural((uint64_t)zf_bench_threads(bench), "thread").text, zf_bench_isa(bench),
            zf_bench_blas(bench));
    fprintf(out, "%s%-*s  threads        ms  GFLOP/s     peak  share      MB%s\n", cli_bold(),
            names, "case", cli_plain());
    for (int i = 0; i < zf_bench_count(bench); i++) {
        const zf_bench_case *c = zf_bench_at(bench, i);
        fprintf(out, "%-*s  %7d  %8.3f  %7.1f  %7.1f  %4.0f%%", names, c->name, c->threads, c->ms,
                c->gflops, c->peak, 100 * c->share);
        if (c->bytes > 0) fprintf(out, "  %6.1f", 1e-6 * c->bytes);
        if (c->rate > 0) fprintf(out, "  %.0f a second", c->rate);
        fputc('\n', out);
    }
    fputs("\n"
          "ms: best time of one repetition. share: GFLOP/s relative to the peak, which is what "
          "sgemm\n"
          "reaches on as many threads, for linear cases at their own shape. MB: memory of a "
          "step of\n"
          "blanket training.\n",
          out);
}

static cli_exit run(const cli_call *call)
{
    zf_bench *bench = NULL;
    cli_progress progress;
    zf_bench_options wish = zf_bench_defaults();
    wish.threads = call->threads;
    wish.seconds = call->values[SECONDS].real;
    wish.only = call->values[ONLY].text;
    wish.report = cli_progress_report(&progress);
    cli_progress_begin(&progress, call);
    zf_status status = zf_bench_run(&bench, &wish);
    cli_progress_end(&progress);
    if (status == ZF_EINTERRUPT)
        return cli_fail(CLI_INTERRUPTED, "interrupted; a benchmark saves nothing, run it again");
    CLI_TRY(cli_check(status));
    cli_exit exit = CLI_DONE;
    if (call->json)
        exit = print_json(call, bench);
    else
        print_text(call->out, bench);
    zf_bench_free(bench);
    return exit;
}

const cli_command cli_command_bench = {
    .name = "bench",
    .summary = "measure how fast the engine is on this machine",
    .description =
        "Measures the machine's peak by sgemm, then layers and whole training steps: the "
        "time of one repetition, the useful work per second, and the share of the peak.\n\n"
        "Other work on the machine disturbs the results. Each case is repeated for a while "
        "and the best repetition counts.",
    .options = options,
    .examples = examples,
    .defaults = defaults,
    .run = run,
};
