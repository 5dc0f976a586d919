/* "Exif\0\0", then a TIFF file: byte order, the place of the first directory,
   and in it entries of twelve bytes. Whatever points outside is ignored. */
#include "image/exif.h"

#include <stdbool.h>
#include <string.h>

enum { PREFIX = 6, ENTRY = 12, ORIENTATION = 0x0112, SHORT = 3 };

typedef struct tiff {
    const uint8_t *bytes;
    size_t n;
    bool big;
} tiff;

static unsigned short_at(const tiff *t, size_t at)
{
    unsigned a = t->bytes[at], b = t->bytes[at + 1];
    return t->big ? a << 8 | b : b << 8 | a;
}

static size_t long_at(const tiff *t, size_t at)
{
    size_t first = short_at(t, at), second = short_at(t, at + 2);
    return t->big ? first << 16 | second : second << 16 | first;
}

int zf_exif_orientation(const uint8_t *bytes, size_t n)
{
    if (n < PREFIX + 8 || memcmp(bytes, "Exif\0", PREFIX) != 0) return 1;
    tiff t = {.bytes = bytes + PREFIX, .n = n - PREFIX, .big = bytes[PREFIX] == 'M'};
    if (memcmp(t.bytes, t.big ? "MM" : "II", 2) != 0 || short_at(&t, 2) != 42) return 1;
    size_t directory = long_at(&t, 4);
    if (directory > t.n - 2) return 1;
    unsigned entries = short_at(&t, directory);
    size_t place = directory + 2;
    for (unsigned i = 0; i < entries && t.n - place >= ENTRY; i++, place += ENTRY) {
        if (short_at(&t, place) != ORIENTATION || short_at(&t, place + 2) != SHORT) continue;
        unsigned value = short_at(&t, place + 8);
        return value >= 1 && value <= 8 ? (int)value : 1;
    }
    return 1;
}
