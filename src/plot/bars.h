/* Bars from left to right, with names before and findings behind them. */
#ifndef ZF_PLOT_BARS_H
#define ZF_PLOT_BARS_H

#include "base/arena.h"
#include "plot/page.h"

/* Draws them from page->top down; leaves top below them. ZF_ENOMEM. */
zf_status zf_bars_draw(zf_page *page, const zf_bars *bars) ZF_CHECK;

/* "p = 0.0012" and "interaction with z", in the arena; NULL: out of memory. */
const char *zf_p_value_text(zf_arena *arena, double p_value);
const char *zf_form_text(zf_arena *arena, zf_form form, const char *third);

/* Text as of printf, in the arena; NULL: out of memory. */
char *zf_text_print(zf_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
