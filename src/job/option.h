/* What can be chosen of a job, described once.

   An option is a row: its name, its type, where its value lies in the job's struct of values,
   its limits and a line of help. From the rows come the command's parser, its help, the manual
   page and the completions, setting by name (zeroflow/job.h), the JSON description and the texts
   in models and reports. To add an option: a field, its row, and the code that uses the field.

   The field's type in C follows from the option's:

     ZF_OPTION_FLAG     bool
     ZF_OPTION_WHOLE    int32_t, int, int64_t, uint64_t or size_t
     ZF_OPTION_REAL     double
     ZF_OPTION_CHOICE   an enum, the place among the choices
     ZF_OPTION_LIST     zf_words
     all others         const char *, NULL if not given

   What is left to the library is ZF_AUTO in numbers and choices; `otherwise` says what happens
   then. A struct starts with all zeros; the job's defaults() comes next, then the fallbacks.

   Rejected: an array of values by index, as getopt has them. It needs an index beside the field
   and code that copies one to the other, for each option. */
#ifndef ZF_JOB_OPTION_H
#define ZF_JOB_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zeroflow/status.h"

typedef enum zf_option_type {
    ZF_OPTION_FLAG,
    ZF_OPTION_WHOLE, /* a whole number from least to most */
    ZF_OPTION_REAL,  /* a finite real number from least to most */
    ZF_OPTION_TEXT,
    ZF_OPTION_LIST,    /* texts between commas; given again, they add up; as the last argument of a
                          command it takes all words that are left */
    ZF_OPTION_CHOICE,  /* one of choices */
    ZF_OPTION_FILE,    /* one that is read */
    ZF_OPTION_IMAGES,  /* the same, or a folder of which all files are read */
    ZF_OPTION_OUTPUT,  /* one that is written; these three are checked before the job runs */
    ZF_OPTION_PATHS,   /* from which the job makes its files' names, and says them to zf_files */
    ZF_OPTION_FOLDER,  /* for results; the job says it to zf_files */
    ZF_OPTION_COMMAND, /* text that completes to the commands */
} zf_option_type;

typedef struct zf_words {
    const char *const *items;
    int n;
} zf_words;

/* An option or, without letter and fallback, an argument (an input that stands by its place on
   a command line). Arrays of them end with one whose name is NULL. */
typedef struct zf_option {
    const char *name; /* "iterations"; of an argument, "DATA", or "TARGET..." of many words */
    char letter;      /* 'o' for -o; 0: none */
    zf_option_type type;
    const char *placeholder; /* "N"; NULL for flags and arguments */
    size_t offset, width;    /* of its field: ZF_FIELD */
    const char *fallback;    /* the value without the option, not for lists; NULL: what
                                defaults() left in the field */
    const char *otherwise;   /* what happens without the option, in words; NULL: the field says */
    double least, most;      /* of numbers; both 0: no limit */
    bool between;            /* real: least and most themselves are not allowed */
    const char *const *choices; /* ended by NULL */
    bool optional;              /* an argument that may be left out */
    const char *help;           /* one sentence or two, without the name */
} zf_option;

/* Where a field lies: member may be of a struct within, as in ZF_FIELD(fit_values, table.header).
 */
#define ZF_FIELD(type, member)                                                                     \
    .offset = offsetof(type, member), .width = sizeof(((type *)0)->member)

int zf_option_count(const zf_option *options);

/* How many bytes of its name programs set it by: all but the dots. */
int zf_option_name(const zf_option *option);

/* The option of that name (of so many bytes) or of that letter; -1: none. Arguments are found in
   any case: "data" is DATA. */
int zf_option_find(const zf_option *options, const char *name, size_t length, char letter);

/* "flag", "whole", "real", "text", "list", "choice", "file", "images", "output", "folder". */
const char *zf_option_kind(const zf_option *option);

/* The value in the struct as the text that would set it, "" for none, cut at size bytes. */
void zf_option_text(char *text, size_t size, const zf_option *option, const void *values);

/* Whether the value in the struct was left to the library or is not there. */
bool zf_option_is_left(const zf_option *option, const void *values);

#endif
