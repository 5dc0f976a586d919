/* One job at a time: a lock on an output while it is being made.

   The lock is flock() on an empty file beside the output, .zeroflow-HASH.lock, where the hash is
   that of the output's name: so it works before the output is there and while it is replaced
   again and again, names of any length have one, and machines that share a folder see it. It ends
   with the process; the file is removed on release, and one that a killed process left is taken
   over. Rejected: a lock on the output itself, which is another file after each rename and none
   before the first; a socket in the abstract namespace, which leaves nothing behind but is not
   seen from another container or machine. */
#ifndef ZF_IO_HOLD_H
#define ZF_IO_HOLD_H

#include "io/place.h"

enum { ZF_HOLD_NAME = 48 };

typedef struct zf_hold {
    int descriptor;          /* -1: nothing is held */
    char name[ZF_HOLD_NAME]; /* of the lock's file in the place's folder; "": a folder is held */
} zf_hold;

/* place must outlive the hold; shown is for messages. What is written straight, or is on a file
   system without locks, is not held, which is no failure. ZF_EOUTPUT: another process holds it,
   or no lock can be made. */
zf_status zf_hold_file(zf_hold *out, const zf_io_place *place, const char *shown) ZF_CHECK;
zf_status zf_hold_folder(zf_hold *out, const char *path) ZF_CHECK;
void zf_hold_release(zf_hold *hold, const zf_io_place *place); /* place: NULL of a folder */

#endif
