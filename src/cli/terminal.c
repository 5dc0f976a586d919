/* What the terminal can do. The width is asked for at each use, so a resize
   needs no signal. */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int cli_columns(int descriptor)
{
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

bool cli_can_redraw(int descriptor)
{
    const char *term = getenv("TERM");
    return isatty(descriptor) && term && *term && strcmp(term, "dumb") != 0;
}

bool cli_can_colour(int descriptor)
{
    const char *no_color = getenv("NO_COLOR");
    return cli_can_redraw(descriptor) && !(no_color && *no_color);
}

const char *cli_bold(void)
{
    return cli_can_colour(STDOUT_FILENO) ? "\033[1m" : "";
}

const char *cli_plain(void)
{
    return cli_can_colour(STDOUT_FILENO) ? "\033[0m" : "";
}
