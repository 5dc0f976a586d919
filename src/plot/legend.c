/* Names flow in lines above the frame rather than in a box inside it, where
   they would hide data sooner or later. */
#include "plot/legend.h"

#include <math.h>
#include <stdio.h>

#include "plot/font.h"
#include "plot/series.h"
#include "plot/style.h"

enum {
    LINE_SAMPLE = 25,
    DOT_SAMPLE = 10,
    GAP = 6,
    BETWEEN = 18,
    LINE = 18,
    MOST_LINES = 4,
    MORE = 90
};

static size_t count_named(const zf_chart *chart)
{
    size_t named = 0;
    for (size_t s = 0; s < chart->n_series; s++)
        if (chart->series[s].name && *chart->series[s].name) named++;
    return named;
}

static double sample_width(const zf_series *series)
{
    bool line = series->style != ZF_SERIES_POINTS && series->style != ZF_SERIES_DOTS &&
                series->style != ZF_SERIES_BARS;
    return line ? LINE_SAMPLE : DOT_SAMPLE;
}

double zf_legend(zf_scene *scene, const zf_chart *chart, zf_box box)
{
    size_t left = count_named(chart);
    double x = 0;
    int line = 0;
    char text[160];
    if (left == 0) return 0;
    for (size_t s = 0; s < chart->n_series; s++) {
        const char *name = chart->series[s].name;
        if (!name || !*name) continue;
        double sample = sample_width(&chart->series[s]), most = box.width - sample - GAP;
        zf_text_shorten(text, sizeof text, name, ZF_TICK_SIZE, most);
        double width = sample + GAP + zf_text_width(text, ZF_TICK_SIZE);
        /* The last line keeps room to say how many are left out. */
        double kept = left > 1 ? MORE : 0;
        if (x > 0 && x + width > box.width - (line == MOST_LINES - 1 ? kept : 0)) {
            if (line == MOST_LINES - 1) break;
            line++;
            x = 0;
            if (line == MOST_LINES - 1)
                zf_text_shorten(text, sizeof text, name, ZF_TICK_SIZE, most - kept);
            width = sample + GAP + zf_text_width(text, ZF_TICK_SIZE);
        }
        if (scene) {
            double y = box.y + line * LINE;
            zf_series_draw_sample(scene, chart, s, (zf_box){box.x + x, y, sample, LINE});
            zf_scene_text(scene, box.x + x + sample + GAP, y + LINE / 2.0 + 0.36 * ZF_TICK_SIZE,
                          text, zf_plot_type_of(ZF_TICK_SIZE, ZF_INK, ZF_START));
        }
        x += width + BETWEEN;
        left--;
    }
    if (left > 0 && scene) {
        snprintf(text, sizeof text, "and %zu more", left);
        zf_scene_text(scene, box.x + x, box.y + line * LINE + LINE / 2.0 + 0.36 * ZF_TICK_SIZE,
                      text, zf_plot_type_of(ZF_TICK_SIZE, ZF_SOFT, ZF_START));
    }
    return (line + 1) * LINE;
}
