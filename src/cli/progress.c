/* Progress on standard error.

   The cursor rests at the start of the bar's line. So when a terminal is made
   narrower and wraps the old bar over more lines, all of them are below the
   cursor and one "clear to the end" removes them, whether the terminal rewraps
   or not. Rejected: SIGWINCH (the width is asked for at each drawing anyway),
   and curses (one line needs three escape sequences). */
#include "progress.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gather.h"
#include "output.h"
#include "terminal.h"
#include "text.h"

static const double PLAIN_SECONDS = 5;

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

static void watch(int number)
{
    struct sigaction old, action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    /* What the parent had ignored (nohup, a background job) stays ignored. */
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double share_done(const zf_progress *progress)
{
    if (progress->steps == 0) return 0;
    return clamp((double)progress->step / (double)progress->steps, 0, 1);
}

/* "12.3k rows/s" */
static zf_small rate_text(const zf_progress *progress)
{
    double rate = progress->rows_per_second;
    static const char *const units[] = {"", "k", "M", "G"};
    zf_small rate_small = {""};
    int unit = 0;
    if (!(rate > 0)) return rate_small;
    while (rate >= 999.5 && unit < 3) rate /= 1000, unit++;
    snprintf(rate_small.text, sizeof rate_small.text, "%.3g%s %.16s/s", rate, units[unit],
             progress->unit ? progress->unit : "rows");
    return rate_small;
}

static zf_small time_text(const zf_progress *progress)
{
    zf_small time = {""};
    if (progress->step >= progress->steps)
        snprintf(time.text, sizeof time.text, "in %.28s", zf_duration(progress->seconds).text);
    else if (progress->seconds_left >= 0)
        snprintf(time.text, sizeof time.text, "%.25s left",
                 zf_duration(progress->seconds_left).text);
    return time;
}

/* "loss 0.8231" */
static zf_small measure_text(const zf_measure *measure)
{
    zf_small text;
    snprintf(text.text, sizeof text.text, "%.16s %.4g", measure->name, measure->value);
    return text;
}

static void draw_blocks(FILE *out, double share, int width, bool utf8, bool colour)
{
    int full = (int)floor(share * width + 0.5);
    fputs(colour ? "\033[32m" : "", out);
    for (int i = 0; i < full; i++) fputs(utf8 ? "━" : "#", out);
    fputs(colour ? "\033[0;2m" : "", out);
    for (int i = full; i < width; i++) fputs(utf8 ? "─" : "-", out);
    fputs(colour ? "\033[0m" : "", out);
}

void cli_draw_bar(FILE *out, const zf_progress *progress, int columns, bool utf8, bool colour)
{
    enum { PARTS = 6, GAP = 2, LEAST_BAR = 10, MOST_BAR = 40, BEFORE_BAR = 2 };
    /* In the order of need; shown in the order of reading, which is the same. */
    zf_small parts[PARTS];
    int n = 0, used = 4; /* "100%" */
    parts[n++] = time_text(progress);
    for (int i = 0; i < progress->n_measures && n < PARTS - 1; i++)
        parts[n++] = measure_text(&progress->measures[i]);
    parts[n++] = rate_text(progress);
    if (columns < used) return;
    fprintf(out, "%3.0f%%", floor(100 * share_done(progress)));
    int shown = 0;
    for (; shown < n; shown++) {
        int width = (int)strlen(parts[shown].text);
        int bar = shown < BEFORE_BAR ? 0 : GAP + LEAST_BAR; /* needed more than the rest */
        if (width && used + GAP + width + bar > columns) break;
        used += width ? GAP + width : 0;
    }
    int bar = columns - used - GAP;
    if (bar >= LEAST_BAR) {
        fprintf(out, "%*s", GAP, "");
        draw_blocks(out, share_done(progress), bar < MOST_BAR ? bar : MOST_BAR, utf8, colour);
    }
    for (int i = 0; i < shown; i++)
        if (parts[i].text[0]) fprintf(out, "%*s%s", GAP, "", parts[i].text);
}

/* One write, so that the line does not flicker. */
static void show(const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(STDERR_FILENO, text, length);
        if (written <= 0) return;
        text += written;
        length -= (size_t)written;
    }
}

static void redraw(cli_progress *state, const zf_progress *progress)
{
    cli_gathered text;
    FILE *out = cli_gather(&text);
    if (!out) return;
    int columns = cli_columns(STDERR_FILENO) - 1;
    int stage = state->stage ? (int)strlen(state->stage) + 2 : 0;
    fputs("\r\033[J", out);
    if (stage > 0 && stage < columns / 2) fprintf(out, "%s  ", state->stage), columns -= stage;
    if (progress->steps > 0) cli_draw_bar(out, progress, columns, cli_utf8(), state->colour);
    fputc('\r', out);
    if (cli_gather_end(&text)) show(text.text, text.length);
    free(text.text);
    state->drawn = true;
}

static void plain_line(const cli_progress *state, const zf_progress *progress)
{
    cli_gathered text;
    FILE *out = cli_gather(&text);
    if (!out) return;
    fprintf(out, "zeroflow: %s: %s%s%s of %s (%.0f%%)", cli_name_of(state->call->command),
            state->stage ? state->stage : "", state->stage ? ": " : "",
            zf_count(progress->step).text, zf_count(progress->steps).text,
            floor(100 * share_done(progress)));
    for (int i = 0; i < progress->n_measures; i++)
        fprintf(out, ", %s", measure_text(&progress->measures[i]).text);
    zf_small rate = rate_text(progress), time = time_text(progress);
    if (rate.text[0]) fprintf(out, ", %s", rate.text);
    if (time.text[0]) fprintf(out, ", %s", time.text);
    fputc('\n', out);
    if (cli_gather_end(&text)) show(text.text, text.length);
    free(text.text);
}

/* What is going on, in a word or two that stand before the bar until the next stage; on a terminal
   at once, for work that tells nothing of itself. NULL: nothing stands there. */
static void begin_stage(cli_progress *progress, const char *stage)
{
    progress->stage = stage;
    if (stage && progress->redraw && !progress->call->quiet) redraw(progress, &progress->last);
}

static bool on_progress(void *context, const zf_progress *progress)
{
    cli_progress *state = context;
    bool last = progress->step >= progress->steps;
    if (state->call->quiet) return !interrupted;
    if (progress->steps == 0) {
        begin_stage(state, progress->stage);
        return !interrupted;
    }
    state->last = *progress;
    state->last.measures = NULL, state->last.n_measures = 0;
    if (progress->seconds < state->last_line) state->last_line = 0; /* other work has begun */
    if (state->redraw) {
        redraw(state, progress);
    } else if (last || progress->seconds - state->last_line >= PLAIN_SECONDS) {
        plain_line(state, progress);
        state->last_line = progress->seconds;
    }
    return !interrupted;
}

static void on_log(void *context, zf_level level, const char *line)
{
    cli_progress *state = context;
    if (level == ZF_INFO && state->call->quiet) return;
    if (state->drawn) show("\r\033[J", 4);
    state->drawn = false;
    fprintf(stderr, "zeroflow: %s: %s", cli_name_of(state->call->command),
            level == ZF_WARNING ? "warning: " : "");
    cli_clean(stderr, line);
    fputc('\n', stderr);
}

void cli_progress_begin(cli_progress *progress, const cli_call *call)
{
    *progress = (cli_progress){
        .call = call,
        .redraw = cli_can_redraw(STDERR_FILENO),
        .colour = cli_can_colour(STDERR_FILENO),
    };
    interrupted = 0;
    watch(SIGINT);
    watch(SIGTERM);
}

void cli_progress_end(cli_progress *progress)
{
    /* The last state stays readable above what follows. */
    if (progress->drawn) show("\n", 1);
    progress->drawn = false;
}

zf_report cli_progress_report(cli_progress *progress)
{
    return (zf_report){.log = on_log, .progress = on_progress, .context = progress};
}

void cli_print_resume(FILE *out, const cli_call *call)
{
    bool resumes = false;
    fputs("zeroflow", out);
    for (int i = 1; i < call->argc; i++) {
        if (strcmp(call->argv[i], "--resume") == 0) resumes = true;
        fputc(' ', out);
        cli_print_word(out, call->argv[i]);
    }
    if (!resumes) fputs(" --resume", out);
}
