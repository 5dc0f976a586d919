/* Matrices as heat maps, each with its colour bar. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "plot/font.h"
#include "plot/page.h"
#include "plot/style.h"
#include "plot/ticks.h"

enum { MOST_CELLS = 512, MOST_PANELS = 64, MOST_NAMES = 30, BAR = 11, BAR_STEPS = 128 };

/* Room around the square of a panel. */
static const double LEFT = 30, ABOVE = 26, BELOW = 24, LABEL = 19, BAR_GAP = 9, BAR_TEXT = 38,
                    LONGEST_NAME = 90;

typedef struct span {
    double low, high;
    bool both; /* two hues around 0 */
} span;

static span span_of(const zf_matrix_panel *panel)
{
    span s = {panel->low, panel->high, false};
    if (!(s.low < s.high)) {
        s.low = s.high = 0;
        for (size_t i = 0; i < panel->rows * panel->columns; i++) {
            if (!isfinite(panel->values[i])) continue;
            s.low = fmin(s.low, panel->values[i]);
            s.high = fmax(s.high, panel->values[i]);
        }
        if (s.low < 0) {
            s.high = fmax(-s.low, s.high);
            s.low = -s.high;
        }
    }
    if (!(s.low < s.high)) s.high = s.low + 1; /* all zero */
    zf_range_open(&s.low, &s.high);
    s.both = s.low < 0;
    return s;
}

static zf_colour colour_of(const span *s, double value)
{
    if (!isfinite(value)) return ZF_GRID;
    if (!s->both) return zf_sequential((value - s->low) / (s->high - s->low));
    return zf_diverging(value / fmax(-s->low, s->high));
}

/* The value of largest magnitude in a block; NaN only if there is nothing else. */
static double strongest(const zf_matrix_panel *panel, size_t row, size_t rows, size_t column,
                        size_t columns)
{
    double best = NAN;
    for (size_t r = row; r < row + rows && r < panel->rows; r++)
        for (size_t c = column; c < column + columns && c < panel->columns; c++) {
            double value = panel->values[r * panel->columns + c];
            if (isfinite(value) && !(fabs(value) <= fabs(best))) best = value;
        }
    return best;
}

static zf_status draw_cells(zf_scene *scene, const zf_matrix_panel *panel, const span *s,
                            zf_box box)
{
    size_t down = 1 + (panel->rows - 1) / MOST_CELLS,
           across = 1 + (panel->columns - 1) / MOST_CELLS;
    size_t rows = 1 + (panel->rows - 1) / down, columns = 1 + (panel->columns - 1) / across;
    zf_colour *cells = malloc(rows * columns * sizeof *cells);
    if (!cells) return zf_fail_memory(rows * columns * sizeof *cells);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            cells[r * columns + c] =
                colour_of(s, strongest(panel, r * down, down, c * across, across));
    zf_scene_image(scene, box, cells, (int)columns, (int)rows);
    free(cells);
    zf_scene_box(scene, (zf_box){box.x - 0.5, box.y - 0.5, box.width + 1, box.height + 1},
                 ZF_NO_COLOUR, (zf_stroke){ZF_AXIS, 1, 0});
    return ZF_OK;
}

/* Numbers of rows or columns, counted from 1, at the middle of their cells. */
static void draw_numbers(zf_scene *scene, zf_box box, size_t n, bool down)
{
    zf_ticks ticks;
    zf_plot_type type = zf_plot_type_of(ZF_TICK_SIZE - 1, ZF_SOFT, down ? ZF_END : ZF_MIDDLE);
    double length = down ? box.height : box.width;
    double low = 1, high = (double)n;
    if (n < 2) high = 2;
    zf_ticks_linear(&ticks, low, high, n < 5 ? (int)n + 1 : 5);
    for (int i = 0; i < ticks.count; i++) {
        double at = ticks.tick[i].at;
        if (at < 1 || at > (double)n || at != floor(at)) continue;
        double place = (at - 0.5) / (double)n * length;
        if (down)
            zf_scene_text(scene, box.x - 6, box.y + place + 4, ticks.tick[i].label, type);
        else
            zf_scene_text(scene, box.x + place, box.y + box.height + 15, ticks.tick[i].label, type);
    }
}

static bool has_names(const zf_matrix_panel *panel)
{
    return panel->names && panel->rows == panel->columns && panel->rows <= MOST_NAMES;
}

/* What names take beside the matrix, or numbers, if it has no names. */
static double names_room(const zf_matrix_panel *panel, double numbers)
{
    double widest = 0;
    if (!has_names(panel)) return numbers;
    for (size_t i = 0; i < panel->rows; i++)
        widest = fmax(widest, zf_text_width(panel->names[i], ZF_TICK_SIZE - 1));
    return fmax(fmin(widest, LONGEST_NAME) + 12, numbers);
}

/* Beside their rows, and upright below their columns. */
static void draw_names(zf_scene *scene, const zf_matrix_panel *panel, zf_box box)
{
    char line[160];
    zf_plot_type type = zf_plot_type_of(ZF_TICK_SIZE - 1, ZF_SOFT, ZF_END);
    zf_plot_type upright = type;
    upright.turn = 90;
    for (size_t i = 0; i < panel->rows; i++) {
        double place = ((double)i + 0.5) / (double)panel->rows;
        zf_text_shorten(line, sizeof line, panel->names[i], type.size, LONGEST_NAME);
        zf_scene_text(scene, box.x - 6, box.y + place * box.height + 4, line, type);
        zf_scene_text(scene, box.x + place * box.width + 4, box.y + box.height + 6, line, upright);
    }
}

static void draw_bar(zf_scene *scene, const span *s, zf_box box)
{
    zf_colour cells[BAR_STEPS];
    zf_ticks ticks;
    zf_stroke line = {ZF_AXIS, 1, 0};
    for (int i = 0; i < BAR_STEPS; i++) {
        double share = 1 - (i + 0.5) / BAR_STEPS;
        cells[i] = colour_of(s, s->low + share * (s->high - s->low));
    }
    zf_scene_image(scene, box, cells, 1, BAR_STEPS);
    zf_scene_box(scene, (zf_box){box.x - 0.5, box.y - 0.5, box.width + 1, box.height + 1},
                 ZF_NO_COLOUR, line);
    zf_ticks_linear(&ticks, s->low, s->high, box.height > 150 ? 6 : 4);
    for (int i = 0; i < ticks.count; i++) {
        double share = (ticks.tick[i].at - s->low) / (s->high - s->low);
        double y = box.y + box.height * (1 - share);
        char text[ZF_TICK_TEXT];
        zf_scene_segment(scene, box.x + box.width, zf_crisp(y - 0.5), box.x + box.width + 3,
                         zf_crisp(y - 0.5), line);
        zf_text_shorten(text, sizeof text, ticks.tick[i].label, ZF_TICK_SIZE - 1, BAR_TEXT - 7);
        zf_scene_text(scene, box.x + box.width + 6, y + 4, text,
                      zf_plot_type_of(ZF_TICK_SIZE - 1, ZF_SOFT, ZF_START));
    }
}

static void draw_words(zf_scene *scene, const zf_matrix_panel *panel, zf_box box)
{
    char line[160];
    zf_plot_type label = zf_plot_type_of(ZF_LABEL_SIZE, ZF_INK, ZF_MIDDLE);
    if (panel->title)
        zf_scene_text(scene, box.x, box.y - 9,
                      zf_text_shorten(line, sizeof line, panel->title, ZF_PANEL_SIZE,
                                      box.width + BAR_GAP + BAR + BAR_TEXT),
                      zf_plot_type_of(ZF_PANEL_SIZE, ZF_INK, ZF_START));
    if (panel->x_label)
        zf_scene_text(
            scene, box.x + box.width / 2, box.y + box.height + names_room(panel, BELOW) + LABEL - 8,
            zf_text_shorten(line, sizeof line, panel->x_label, ZF_LABEL_SIZE, box.width), label);
    label.turn = 90;
    if (panel->y_label)
        zf_scene_text(scene, box.x - names_room(panel, LEFT) - 1, box.y + box.height / 2,
                      zf_text_shorten(line, sizeof line, panel->y_label, ZF_LABEL_SIZE, box.height),
                      label);
}

static zf_status draw_panel(zf_scene *scene, const zf_matrix_panel *panel, zf_box box)
{
    span s = span_of(panel);
    ZF_TRY(draw_cells(scene, panel, &s, box));
    if (has_names(panel)) {
        draw_names(scene, panel, box);
    } else {
        draw_numbers(scene, box, panel->columns, false);
        draw_numbers(scene, box, panel->rows, true);
    }
    draw_bar(scene, &s, (zf_box){box.x + box.width + BAR_GAP, box.y, BAR, box.height});
    draw_words(scene, panel, box);
    return ZF_OK;
}

/* Room below a row of panels: for names or numbers, and a label if one has it. */
static double below_of(const zf_matrix_panel *panels, size_t n)
{
    double room = BELOW, label = 0;
    for (size_t i = 0; i < n; i++) {
        room = fmax(room, names_room(&panels[i], BELOW));
        if (panels[i].x_label) label = LABEL;
    }
    return room + label;
}

/* The same on the left of a column of panels. */
static double left_of(const zf_matrix_panel *panels, size_t n, size_t column, size_t columns)
{
    double room = LEFT, label = 0;
    for (size_t i = column; i < n; i += columns) {
        room = fmax(room, names_room(&panels[i], LEFT));
        if (panels[i].y_label) label = LABEL;
    }
    return room + label;
}

/* Cells are square unless the matrix is very long. */
static double height_of(const zf_matrix_panel *panel, double width)
{
    double ratio = (double)panel->rows / (double)panel->columns;
    return floor(width * fmin(fmax(ratio, 0.1), 1.5));
}

static zf_status draw_all(zf_page *page, const zf_matrix_panel *panels, size_t n, size_t columns)
{
    double room = page->right - page->left - (BAR_GAP + BAR + BAR_TEXT) * (double)columns;
    for (size_t c = 0; c < columns; c++) room -= left_of(panels, n, c, columns);
    double width = floor(fmax(room / (double)columns, 40));
    for (size_t first = 0; first < n; first += columns) {
        double height = 0, x = page->left, top = floor(page->top + ABOVE);
        size_t end = first + columns < n ? first + columns : n;
        for (size_t i = first; i < end; i++) {
            double own = height_of(&panels[i], width);
            x += left_of(panels, n, i - first, columns);
            ZF_TRY(draw_panel(&page->scene, &panels[i], (zf_box){floor(x), top, width, own}));
            x += width + BAR_GAP + BAR + BAR_TEXT;
            height = fmax(height, own);
        }
        page->top = top + height + below_of(panels + first, end - first);
    }
    return ZF_OK;
}

zf_status zf_plot_matrices(const char *path, const zf_figure *figure, const zf_matrix_panel *panels,
                           size_t n_panels)
{
    if (n_panels < 1 || n_panels > MOST_PANELS)
        return zf_fail(ZF_EINVAL, "%s: a figure of %zu matrices, expected 1 to %d", path, n_panels,
                       MOST_PANELS);
    for (size_t i = 0; i < n_panels; i++)
        if (panels[i].rows < 1 || panels[i].columns < 1)
            return zf_fail(ZF_EINVAL, "%s: matrix %zu is %zu x %zu, expected at least 1 x 1", path,
                           i + 1, panels[i].rows, panels[i].columns);
    zf_page page;
    ZF_TRY(zf_page_begin(&page, figure));
    zf_status status = draw_all(&page, panels, n_panels, (size_t)zf_page_columns(figure, n_panels));
    if (status == ZF_OK) return zf_page_finish(&page, figure, path);
    zf_scene_free(&page.scene);
    return status;
}
