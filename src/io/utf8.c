/* UTF-8 by the table of RFC 3629: the first byte gives the length and narrows
   the range of the second. */
#include "io/utf8.h"

size_t zf_utf8_length(const char *text, size_t n)
{
    const unsigned char *byte = (const unsigned char *)text;
    unsigned char first = byte[0], low = 0x80, high = 0xbf;
    size_t length;
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first <= 0xdf)
        length = 2;
    else if (first >= 0xe0 && first <= 0xef)
        length = 3;
    else if (first >= 0xf0 && first <= 0xf4)
        length = 4;
    else
        return 0;
    if (first == 0xe0) low = 0xa0;  /* overlong */
    if (first == 0xed) high = 0x9f; /* surrogates */
    if (first == 0xf0) low = 0x90;  /* overlong */
    if (first == 0xf4) high = 0x8f; /* above U+10FFFF */
    if (n < length || byte[1] < low || byte[1] > high) return 0;
    for (size_t i = 2; i < length; i++)
        if (byte[i] < 0x80 || byte[i] > 0xbf) return 0;
    return length;
}

bool zf_utf8_valid(const char *text, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t length = zf_utf8_length(text + i, n - i);
        if (length == 0) return false;
        i += length;
    }
    return true;
}
