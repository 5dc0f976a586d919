/* scale_model IN OUT FACTOR [PREFIX]: copies a model with its tensors, or those whose name
   begins so, times FACTOR, at most the largest float: still finite, and too large for a
   network to stay so. The checksum is left out, and the format the one that has none. */
#include <float.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) return NULL;
    *n = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*n + 1);
    if (bytes && fread(bytes, 1, *n, file) != *n) *n = 0;
    fclose(file);
    return bytes;
}

static void scale(char *from, size_t bytes, double factor)
{
    for (size_t i = 0; i < bytes; i += sizeof(float)) {
        float value;
        memcpy(&value, from + i, sizeof value);
        double scaled = (double)value * factor;
        value = (float)(scaled > FLT_MAX ? FLT_MAX : scaled < -FLT_MAX ? -FLT_MAX : scaled);
        memcpy(from + i, &value, sizeof value);
    }
}

int main(int argc, char **argv)
{
    size_t n = 0;
    uint64_t length;
    char *bytes = argc >= 4 ? read_file(argv[1], &n) : NULL;
    if (!bytes || n < sizeof length) return 1;
    memcpy(&length, bytes, sizeof length);
    json_t *header = json_loadb(bytes + sizeof length, (size_t)length, 0, NULL), *about;
    char *data = bytes + sizeof length + length;
    const char *name, *prefix = argc > 4 ? argv[4] : "";
    json_object_foreach(header, name, about)
    {
        const json_t *place = json_object_get(about, "data_offsets");
        const char *type = json_string_value(json_object_get(about, "dtype"));
        if (!type || strcmp(type, "F32") != 0 || strncmp(name, prefix, strlen(prefix)) != 0)
            continue;
        size_t begin = (size_t)json_integer_value(json_array_get(place, 0));
        size_t end = (size_t)json_integer_value(json_array_get(place, 1));
        scale(data + begin, end - begin, atof(argv[3]));
    }
    json_t *metadata = json_object_get(header, "__metadata__");
    json_object_del(metadata, "zeroflow.checksum");
    json_object_set_new(metadata, "zeroflow.format", json_string("1"));
    char *text = json_dumps(header, JSON_COMPACT);
    FILE *out = fopen(argv[2], "wb");
    if (!text || !out) return 1;
    uint64_t written = strlen(text);
    fwrite(&written, sizeof written, 1, out);
    fwrite(text, 1, (size_t)written, out);
    fwrite(data, 1, n - sizeof length - (size_t)length, out);
    free(text);
    free(bytes);
    json_decref(header);
    return fclose(out) == 0 ? 0 : 1;
}
