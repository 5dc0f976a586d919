/* A user's first program: the flags that pkg-config gives must be enough. */
#include <stdio.h>
#include <string.h>
#include <zeroflow/zeroflow.h>

int main(void)
{
    puts(zf_version());
    return strcmp(zf_version(), ZF_VERSION) != 0;
}
