#include "job/document.h"

#include <string.h>

bool zf_document_stays(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

zf_status zf_document_table(zf_document *kept, const char *path, const zf_numbers *numbers)
{
    if (!zf_document_stays(path)) return zf_table_write(path, numbers);
    return zf_table_encode(&kept->bytes, &kept->n, numbers);
}
