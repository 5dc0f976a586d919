/* A user's first program: the flags that pkg-config gives must be enough. */
#include <stdio.h>
#include <zeroflow/status.h>

int main(void)
{
    puts(zf_version());
    return 0;
}
