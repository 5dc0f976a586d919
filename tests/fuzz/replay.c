/* Runs a fuzz target on the files of a folder, without libFuzzer: the seeds and
   whatever once broke stay fixed under any compiler. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static int run(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) return -1;
    /* Exactly as large as the file, so that a checker sees a read past its end. */
    fseek(file, 0, SEEK_END);
    long n = ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(n > 0 ? (size_t)n : 1);
    int result = bytes && fread(bytes, 1, (size_t)n, file) == (size_t)n
                     ? LLVMFuzzerTestOneInput(bytes, (size_t)n)
                     : -1;
    free(bytes);
    fclose(file);
    return result;
}

int main(int argc, char **argv)
{
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (!folder) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    size_t files = 0;
    for (struct dirent *item; (item = readdir(folder));) {
        char path[1024];
        if (item->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", argv[1], item->d_name);
        if (run(path) != 0) {
            fprintf(stderr, "%s: could not be replayed\n", path);
            return 1;
        }
        files++;
    }
    closedir(folder);
    printf("%zu files\n", files);
    return files > 0 ? 0 : 1;
}
