/* Reads exactly one JSON object from standard input and prints what a path of
   keys and indices leads to: text as it is, anything else as JSON, "#" as the
   last word the number of members. Fails if the input is not one valid object
   or the path leads nowhere. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    json_error_t error;
    json_t *root = json_loadf(stdin, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(root)) {
        fprintf(stderr, "json_get: line %d: %s\n", error.line, root ? "no object" : error.text);
        return 1;
    }
    json_t *at = root;
    for (int i = 1; i < argc && at; i++) {
        if (strcmp(argv[i], "#") == 0) {
            printf("%zu\n", json_is_array(at) ? json_array_size(at) : json_object_size(at));
            json_decref(root);
            return 0;
        }
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(argv[i]))
                               : json_object_get(at, argv[i]);
    }
    int found = at != NULL;
    if (json_is_string(at)) {
        printf("%s\n", json_string_value(at));
    } else if (at) {
        char *text = json_dumps(at, JSON_ENCODE_ANY | JSON_COMPACT);
        printf("%s\n", text);
        free(text);
    }
    json_decref(root);
    return found ? 0 : 1;
}
