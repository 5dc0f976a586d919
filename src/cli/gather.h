/* Text that is gathered in memory through a stream.

   open_memstream does the same, but when memory runs out its stream drops text and closes
   without a complaint. Here the end tells whether all of it is there. */
#ifndef ZF_CLI_GATHER_H
#define ZF_CLI_GATHER_H

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_gathered {
    FILE *out;
    char *text; /* at the end for free(), with a NUL behind it */
    size_t length, room;
    bool lacks;
} cli_gathered;

/* The stream to write to, also gathered->out; NULL: out of memory. gathered stays where it is
   until the end, which must come either way. */
FILE *cli_gather(cli_gathered *gathered);

/* Closes the stream. false: memory ran out before all was gathered; text is NULL then. */
bool cli_gather_end(cli_gathered *gathered);

#endif
