/* Names of variables come from a stranger's file, so every text passes through
   here. Rejected: trusting jansson's JSON inside a script element, which leaves
   "</script>" as it is. */
#include "html/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/utf8.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* The character that text starts with and its length; a byte that is no UTF-8
   has length 1 and the code 0. */
static size_t next(const char *text, uint32_t *code)
{
    static const unsigned char lead_bits[5] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    size_t length = zf_utf8_length(text, strnlen(text, 4));
    *code = 0;
    if (length == 0) return 1;
    *code = (unsigned char)text[0] & lead_bits[length];
    for (size_t i = 1; i < length; i++) *code = *code << 6 | ((unsigned char)text[i] & 0x3f);
    return length;
}

static bool harmful(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200e && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xfeff || code == 0xfffe || code == 0xffff;
}

void zf_html_text(zf_sink *out, const char *text)
{
    uint32_t code;
    for (size_t length; *text; text += length) {
        length = next(text, &code);
        switch (code) {
        case '&':
            zf_sink_text(out, "&amp;");
            break;
        case '<':
            zf_sink_text(out, "&lt;");
            break;
        case '>':
            zf_sink_text(out, "&gt;");
            break;
        case '"':
            zf_sink_text(out, "&quot;");
            break;
        case '\n':
        case '\t':
            zf_sink_byte(out, ' ');
            break;
        default:
            if (harmful(code))
                zf_sink_text(out, REPLACEMENT);
            else
                zf_sink_bytes(out, text, length);
        }
    }
}

void zf_html_name(zf_sink *out, const char *name)
{
    zf_sink_text(out, "<bdi class=\"name\">");
    zf_html_text(out, name);
    zf_sink_text(out, "</bdi>");
}

void zf_html_json(zf_sink *out, const char *text)
{
    uint32_t code;
    char escape[8];
    zf_sink_byte(out, '"');
    for (size_t length; *text; text += length) {
        length = next(text, &code);
        bool special = code < 0x80 && strchr("\"\\<>&'", (int)code);
        if (code == 0) {
            zf_sink_text(out, REPLACEMENT);
        } else if (special || harmful(code)) {
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)code);
            zf_sink_text(out, escape);
        } else {
            zf_sink_bytes(out, text, length);
        }
    }
    zf_sink_byte(out, '"');
}

void zf_html_decimal(zf_sink *out, double value, int decimals)
{
    static const double scale[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
    char text[64];
    if (!isfinite(value) || fabs(value) > 1e12) {
        zf_sink_text(out, "–");
        return;
    }
    long long all = llround(fabs(value) * scale[decimals]), unit = (long long)scale[decimals];
    if (decimals == 0)
        snprintf(text, sizeof text, "%s%lld", value < 0 && all ? "-" : "", all);
    else
        snprintf(text, sizeof text, "%s%lld.%0*lld", value < 0 && all ? "-" : "", all / unit,
                 decimals, all % unit);
    zf_sink_text(out, text);
}

/* Digits and exponent, from the two that %e gives. */
void zf_html_small(zf_sink *out, double value)
{
    enum { LEAST_EXPONENT = -3 };
    char text[32];
    snprintf(text, sizeof text, "%.1e", fmin(fmax(value, 0), 1));
    int exponent = atoi(strchr(text, 'e') + 1);
    bool whole = text[2] == '0';
    if (exponent >= LEAST_EXPONENT) {
        zf_html_decimal(out, value, (whole ? 0 : 1) - exponent);
        return;
    }
    zf_sink_bytes(out, text, 1);
    if (!whole) {
        zf_sink_byte(out, '.');
        zf_sink_bytes(out, text + 2, 1);
    }
    snprintf(text, sizeof text, "e%d", exponent);
    zf_sink_text(out, text);
}

uint64_t zf_html_unit(double value)
{
    return value > 0 ? (uint64_t)llround(10000 * value) : 0;
}

void zf_html_whole(zf_sink *out, uint64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    zf_sink_text(out, digits);
}

void zf_html_count(zf_sink *out, uint64_t value)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) zf_sink_byte(out, ',');
        zf_sink_byte(out, digits[i]);
    }
}
