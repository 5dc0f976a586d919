#include "gather.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256 };

/* A room for so many bytes and the NUL, at least twice the last one. */
static bool make_room(cli_gathered *gathered, size_t bytes)
{
    size_t room = gathered->room ? gathered->room : FIRST_ROOM;
    while (room <= bytes) room *= 2;
    if (room == gathered->room) return true;
    char *text = realloc(gathered->text, room);
    if (!text) return false;
    gathered->text = text;
    gathered->room = room;
    return true;
}

/* After a failure nothing more is taken: text with a hole would be worse than none. */
static ssize_t take(void *cookie, const char *bytes, size_t n)
{
    cli_gathered *gathered = cookie;
    if (gathered->lacks || !make_room(gathered, gathered->length + n)) {
        gathered->lacks = true;
        return 0;
    }
    memcpy(gathered->text + gathered->length, bytes, n);
    gathered->length += n;
    gathered->text[gathered->length] = '\0';
    return (ssize_t)n;
}

FILE *cli_gather(cli_gathered *gathered)
{
    *gathered = (cli_gathered){0};
    if (make_room(gathered, 0)) {
        gathered->text[0] = '\0';
        gathered->out = fopencookie(gathered, "w", (cookie_io_functions_t){.write = take});
    }
    gathered->lacks = !gathered->out;
    return gathered->out;
}

bool cli_gather_end(cli_gathered *gathered)
{
    if (gathered->out && fclose(gathered->out) != 0) gathered->lacks = true;
    gathered->out = NULL;
    if (!gathered->lacks) return true;
    free(gathered->text);
    gathered->text = NULL;
    gathered->length = 0;
    return false;
}
