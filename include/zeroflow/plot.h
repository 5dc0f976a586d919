/* Figures as SVG and PNG files, from plain arrays.

     double x[] = {0, 1, 2}, y[] = {0, 1, 4};
     zf_series series = {.name = "squares", .x = x, .y = y, .n = 3};
     zf_chart chart = {.series = &series, .n_series = 1};
     status = zf_plot_charts("squares.svg", &(zf_figure){.title = "Squares"}, &chart, 1);

   A path that ends in .svg or .png gives that file; any other gives both,
   PATH.svg and PATH.png. Each file is written completely or not at all. The same
   arguments give the same bytes again, and on another machine the same figure,
   whatever fonts it has. A PNG is drawn with two pixels to the unit, so that it
   is sharp at its nominal size.

   Values that are not finite are gaps. Names are UTF-8; those that are too long
   are cut with an ellipsis. Everything that is pointed to stays the caller's.

   All functions are safe from several threads. */
#ifndef ZEROFLOW_PLOT_H
#define ZEROFLOW_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "zeroflow/portrait.h"
#include "zeroflow/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What all figures have. {0} is a good choice. */
typedef struct zf_figure {
    const char *title;   /* NULL: none */
    const char *caption; /* a paragraph below; NULL: none */
    int width;           /* in units of 1/96 inch; 0: 800 */
    int columns;         /* panels a row; 0: chosen */
    /* Not NULL: no file is written; *svg gets an SVG element, to stand in a page of
       HTML (as wide as its place there, without a background), for zf_free. */
    char **svg;
} zf_figure;

/* Charts */

typedef enum zf_series_style {
    ZF_SERIES_LINE,
    ZF_SERIES_DASHED,
    ZF_SERIES_POINTS, /* a scatter plot */
    ZF_SERIES_DOTS,   /* the same, small and faint, as points are where they are many */
    ZF_SERIES_BOTH,   /* a line with its points */
    ZF_SERIES_STEPS,  /* a value holds until the next point */
    ZF_SERIES_BARS,   /* from 0; those of several series stand side by side */
    ZF_SERIES_AREA,   /* filled down to 0, in a light tone, below the lines */
} zf_series_style;

/* A named row of points (x[i], y[i]); x = NULL counts 0, 1, 2, ... */
typedef struct zf_series {
    const char *name; /* NULL: not in the legend */
    const double *x, *y;
    size_t n;
    zf_series_style style;
    int colour;          /* 1, 2, ...: of the palette; 0: by its place among the series; -1: grey */
    const double *error; /* [n]: a bar from y - error to y + error; not of bars and areas. NULL:
                            none */
} zf_series;

/* A line across the chart at a value of x or of y, or a shaded span of x. */
typedef struct zf_mark {
    const char *name; /* written beside it; NULL: nothing */
    enum { ZF_MARK_X, ZF_MARK_Y, ZF_MARK_SPAN } kind;
    double at;
    double until; /* of a span */
} zf_mark;

typedef struct zf_axis {
    const char *label;
    double low, high;              /* low < high: these; otherwise what the data need */
    bool logarithmic;              /* values <= 0 are gaps */
    bool dates;                    /* values are days since 1970-01-01 (zf_plot_day) */
    const char *const *categories; /* names of 0, 1, 2, ...; for bars */
    size_t n_categories;
} zf_axis;

typedef struct zf_chart {
    const char *title;
    zf_axis x, y;
    const zf_series *series;
    size_t n_series;
    const zf_mark *marks;
    size_t n_marks;
    double height; /* of the frame, as a share of its width; 0: chosen */
} zf_chart;

/* One chart, or several side by side and below each other.
   ZF_EINVAL: no chart, or more than 64. ZF_EIO: the file cannot be written. */
ZF_API zf_status zf_plot_charts(const char *path, const zf_figure *figure, const zf_chart *charts,
                                size_t n_charts) ZF_CHECK;

/* Days from 1970-01-01 to "2020-03-09". ZF_EINPUT: not such a date; *day is left. */
ZF_API zf_status zf_plot_day(double *day, const char *date) ZF_CHECK;

/* ROC curves */

typedef struct zf_roc_curve {
    const char *name; /* in the legend; NULL: nothing */
    double auc;       /* shown in the legend; NaN: not shown */
    const double *fpr, *tpr;
    size_t n;
    int colour;  /* 1, 2, ...: of the palette; 0: by its name */
    bool dashed; /* tells variants of one method, of one colour, apart */
} zf_roc_curve;

typedef struct zf_roc_panel {
    const char *title; /* for example the distribution of the data */
    const zf_roc_curve *curves;
    size_t n_curves;
} zf_roc_panel;

/* Panels side by side. most_fpr cuts the x axis there (0: 1), for curves that
   all crowd into the corner. */
ZF_API zf_status zf_plot_roc(const char *path, const zf_figure *figure, const zf_roc_panel *panels,
                             size_t n_panels, double most_fpr) ZF_CHECK;

/* Matrices as heat maps */

typedef struct zf_matrix_panel {
    const char *title;
    const double *values; /* rows x columns, row-major */
    size_t rows, columns;
    double low, high;    /* ends of the colours; low >= high: what the values need */
    const char *x_label; /* NULL: none */
    const char *y_label;
    const char *const *names; /* of the rows and columns of a square matrix: shown up to 30 of
                                 them, otherwise numbers from 1; NULL: numbers */
} zf_matrix_panel;

/* A matrix with negative values gets two hues around 0, others one. Gates beside
   the true precision: figure.columns = 2, panels in pairs. A matrix of more than
   512 rows or columns is thinned, each cell then showing the largest magnitude of
   its block. */
ZF_API zf_status zf_plot_matrices(const char *path, const zf_figure *figure,
                                  const zf_matrix_panel *panels, size_t n_panels) ZF_CHECK;

/* Blankets on a lattice */

typedef struct zf_lattice_panel {
    const char *title;
    int rows, columns;           /* node (r, c) is r * columns + c */
    const unsigned char *target; /* a node each, 0 or 1 */
    const unsigned char *found;
    const unsigned char *truth; /* NULL: not drawn */
} zf_lattice_panel;

/* Panels that share a heading: "Target sets seen in training". */
typedef struct zf_lattice_row {
    const char *title;
    const zf_lattice_panel *panels;
    size_t n_panels;
} zf_lattice_row;

ZF_API zf_status zf_plot_lattices(const char *path, const zf_figure *figure,
                                  const zf_lattice_row *rows, size_t n_rows) ZF_CHECK;

/* Points, paths and arrows in a plane */

typedef enum zf_layer_kind {
    ZF_LAYER_POINTS,
    ZF_LAYER_PATHS,  /* lines through the points; a gap ends one and begins another */
    ZF_LAYER_ARROWS, /* from (x, y) to (x + dx, y + dy); one without length is a speck */
} zf_layer_kind;

typedef struct zf_layer {
    const char *name; /* in the key, once for all panels; NULL: not there */
    zf_layer_kind kind;
    const double *x, *y;
    const double *dx, *dy; /* of arrows */
    size_t n;
    int colour;  /* 1, 2, ...: of the palette; -1: grey */
    bool within; /* the name also stands in the middle of the points */
} zf_layer;

typedef struct zf_plane {
    const char *title;
    zf_axis x, y;           /* neither dates nor categories */
    const zf_layer *layers; /* the first lies lowest */
    size_t n_layers;
} zf_plane;

/* Square panels side by side that share a heading, which may be NULL. */
typedef struct zf_plane_row {
    const char *title;
    const zf_plane *planes;
    size_t n_planes;
} zf_plane_row;

/* Rows of panels; a row with fewer panels has larger ones. What lies outside a panel is cut off. */
ZF_API zf_status zf_plot_planes(const char *path, const zf_figure *figure, const zf_plane_row *rows,
                                size_t n_rows) ZF_CHECK;

/* Graphs: nodes and lines between them */

typedef struct zf_link {
    size_t a, b;   /* nodes */
    double weight; /* 0 to 1: how thick the line is, and how near it brings the two */
    int kind;      /* its place among the kinds, which gives the colour */
} zf_link;

typedef struct zf_graph_drawing {
    const char *const *names; /* [n] */
    size_t n;
    const zf_link *links;
    size_t n_links;
    const char *const *kinds; /* of links, for the key; none: there is no key */
    size_t n_kinds;
} zf_graph_drawing;

/* Joined nodes stand near each other. Up to 60 of them are named; the strongest 600 links
   are drawn, and what is left out is said below, as are nodes without a link.
   ZF_EINVAL: a node or a kind that is not there. */
ZF_API zf_status zf_plot_graph(const char *path, const zf_figure *figure,
                               const zf_graph_drawing *drawing) ZF_CHECK;

/* Results of tests: bars, and portraits of dependences */

typedef struct zf_bar {
    const char *name;
    double length;     /* at least 0 */
    bool strong;       /* in colour; others are grey */
    double p_value;    /* written behind the bar with the form; NaN: nothing is */
    zf_form form;      /* ZF_FORM_NONE: not written */
    const char *third; /* of an interaction; NULL: not named */
} zf_bar;

/* Bars from left to right, one a line. */
typedef struct zf_bars {
    const char *title, *label; /* label: of the axis */
    const zf_bar *bars;
    size_t n;
    double mark; /* a line at this length, with its name; 0: none */
    const char *mark_name;
    double most; /* longer bars are cut, which shows; 0: none are */
} zf_bars;

typedef struct zf_portrait_panel {
    const zf_portrait *portrait;
    double p_value;
    const char *const *names; /* of the columns of the table */
    const char *given;        /* what was conditioned on, in words; NULL: nothing */
} zf_portrait_panel;

/* Bars, one lot below the other, then portraits side by side. */
typedef struct zf_findings {
    const zf_bars *bars;
    size_t n_bars;
    const zf_portrait_panel *panels;
    size_t n_panels;
} zf_findings;

enum { ZF_FINDINGS_MOST = 8, ZF_FINDINGS_PANELS = 12, ZF_FINDINGS_BARS = 60 };

/* One lot of findings below the other. A portrait shows a part of the rows where they are many,
   drawn by chance, and what was computed of all of them; behind the figure's caption stands how to
   read it. ZF_EINVAL: nothing to draw, more than ZF_FINDINGS_MOST lots, or in
   one of them more than ZF_FINDINGS_PANELS portraits or ZF_FINDINGS_BARS bars. */
ZF_API zf_status zf_plot_findings(const char *path, const zf_figure *figure,
                                  const zf_findings *findings, size_t n) ZF_CHECK;

/* Images in rows */

typedef struct zf_image_row {
    const char *title;           /* above the row; NULL: none */
    const float *const *images;  /* each [3, size, size]: red, green and blue from 0 to 1 */
    const char *const *captions; /* below each; NULL: none */
    size_t n;
} zf_image_row;

/* Images of one row stand side by side, those of the next below them; each pixel
   is a square, and all are as large as the longest row allows. Values outside of
   0 to 1 are cut off there. size from 1 to 1,024. */
ZF_API zf_status zf_plot_images(const char *path, const zf_figure *figure, int size,
                                const zf_image_row *rows, size_t n_rows) ZF_CHECK;

/* Past and future among the days of a blanket */

typedef struct zf_shares {
    const double *day;    /* first day of each window, ascending; as by zf_plot_day */
    const double *past;   /* share of days before the window among its blanket */
    const double *future; /* of days after it; NULL: not drawn */
    const double *random; /* what days drawn at random would give for past; NULL: not drawn */
    size_t n;
    double mark_from, mark_until; /* a shaded span of days; none unless from < until */
    const char *mark_name;
} zf_shares;

ZF_API zf_status zf_plot_shares(const char *path, const zf_figure *figure,
                                const zf_shares *shares) ZF_CHECK;

/* Training curves: a panel a measure. values is rows x measures, row-major. */
ZF_API zf_status zf_plot_training(const char *path, const zf_figure *figure, const double *steps,
                                  const double *values, size_t rows, const char *const *names,
                                  size_t measures) ZF_CHECK;

#ifdef __cplusplus
}
#endif
#endif
