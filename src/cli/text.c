/* Text on a terminal.

   Column names and file names come from outside and may hold anything, so all
   of them pass through one decoder here. UTF-8 is decoded by hand because
   mbrtowc() would refuse valid UTF-8 in the C locale. */
#include "text.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

static bool locale_is_utf8;

/* The user's wish itself is looked at, and not what setlocale makes of it: that fails without
   saying why where the locale is not installed, and where memory runs out. */
static bool wants_utf8(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *name = NULL;
    for (int i = 0; i < 3 && !(name && *name); i++) name = getenv(variables[i]);
    const char *charset = name ? strchr(name, '.') : NULL;
    return charset &&
           (strncasecmp(charset, ".UTF-8", 6) == 0 || strncasecmp(charset, ".utf8", 5) == 0);
}

void cli_text_begin(void)
{
    /* For wcwidth(); without it every character counts as one column. LC_NUMERIC stays "C":
       numbers are read and written with a full stop. */
    setlocale(LC_CTYPE, "");
    locale_is_utf8 = wants_utf8();
}

bool cli_utf8(void)
{
    return locale_is_utf8;
}

/* Length of the character at s, its code in *code; 0 if it is no UTF-8:
   stray, truncated, overlong, surrogate or out of range. */
static int decode(const unsigned char *s, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int length = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc0 ? 2 : 0;
    if (length == 0 || s[0] > 0xf4) return 0;
    uint32_t c = length == 1 ? s[0] : s[0] & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) return 0;
        c = c << 6 | (s[i] & 0x3f);
    }
    if (c < least[length] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) return 0;
    *code = c;
    return length;
}

static bool harmful(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x061c ||
           (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

/* One character or bad byte of text: how many bytes it has, how many columns it
   fills, and whether it must be written as \xNN. */
static int next(const char *text, int *columns, bool *escaped)
{
    uint32_t code;
    int length = decode((const unsigned char *)text, &code);
    *escaped = length == 0 || harmful(code);
    if (length == 0) length = 1;
    if (*escaped) {
        *columns = 4 * length;
        return length;
    }
    int width = code < 0x80 ? 1 : wcwidth((wchar_t)code);
    *columns = width < 0 ? 1 : width;
    return length;
}

/* Writes the start of text that fits into room columns; returns its columns. */
static int write_clean(FILE *out, const char *text, int room)
{
    int used = 0, columns;
    bool escaped;
    while (*text) {
        int length = next(text, &columns, &escaped);
        if (used + columns > room) break;
        if (escaped)
            for (int i = 0; i < length; i++) fprintf(out, "\\x%02x", (unsigned char)text[i]);
        else
            fwrite(text, 1, (size_t)length, out);
        used += columns;
        text += length;
    }
    return used;
}

void cli_clean(FILE *out, const char *text)
{
    write_clean(out, text, INT32_MAX);
}

void cli_clean_lines(FILE *out, const char *text, size_t n)
{
    for (const char *end = text + n; text < end;) {
        int columns;
        bool escaped;
        int length = next(text, &columns, &escaped);
        if (!escaped || *text == '\n' || *text == '\t')
            fwrite(text, 1, (size_t)length, out);
        else
            for (int i = 0; i < length; i++) fprintf(out, "\\x%02x", (unsigned char)text[i]);
        text += length;
    }
}

void cli_clean_json(FILE *out, const char *text)
{
    while (*text) {
        uint32_t code;
        int length = decode((const unsigned char *)text, &code);
        if (length > 0 && harmful(code) && code != '\n')
            fprintf(out, "\\u%04x", (unsigned)code);
        else
            fwrite(text, 1, length > 0 ? (size_t)length : 1, out);
        text += length > 0 ? length : 1;
    }
}

int cli_width(const char *text)
{
    int used = 0, columns;
    bool escaped;
    while (*text) {
        text += next(text, &columns, &escaped);
        used += columns;
    }
    return used;
}

void cli_fit(FILE *out, const char *text, int width, bool right)
{
    int used = cli_width(text);
    if (used > width && width > 3) {
        used = write_clean(out, text, width - 3);
        fprintf(out, "...%*s", width - 3 - used, "");
        return;
    }
    int spaces = used < width ? width - used : 0;
    if (right) fprintf(out, "%*s", spaces, "");
    write_clean(out, text, width);
    if (!right) fprintf(out, "%*s", spaces, "");
}

/* Whether a shell takes the word as it is. '=' may stand in it but not begin it: zsh
   would look for a command of that name. */
static bool is_plain_word(const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    return *word && *word != '=' && !word[strspn(word, plain)];
}

/* Whether all of text can be shown as it is. */
static bool is_clean(const char *text)
{
    bool escaped = false;
    for (int columns; *text && !escaped;) text += next(text, &columns, &escaped);
    return !escaped;
}

/* The inside of '...', or of $'...' in which bytes may be written as \NNN: three octal
   digits, because a \xNN would swallow more letters that follow in some shells. */
static void write_quoted(FILE *out, const char *word, bool coded)
{
    while (*word) {
        int columns;
        bool escaped;
        int length = next(word, &columns, &escaped);
        if (escaped)
            for (int i = 0; i < length; i++) fprintf(out, "\\%03o", (unsigned char)word[i]);
        else if (*word == '\'')
            fputs(coded ? "\\'" : "'\\''", out);
        else if (*word == '\\' && coded)
            fputs("\\\\", out);
        else
            fwrite(word, 1, (size_t)length, out);
        word += length;
    }
}

void cli_print_word(FILE *out, const char *word)
{
    if (is_plain_word(word)) {
        fputs(word, out);
        return;
    }
    bool coded = !is_clean(word);
    fputs(coded ? "$'" : "'", out);
    write_quoted(out, word, coded);
    fputc('\'', out);
}

void cli_print_path(FILE *out, const char *path)
{
    char *other = NULL;
    if (path[0] == '-' && path[1] && asprintf(&other, "./%s", path) < 0) other = NULL;
    cli_print_word(out, other ? other : path);
    free(other);
}

void cli_wrap(FILE *out, const char *text, int indent, int width)
{
    int column = indent;
    while (*text) {
        if (text[0] == '\n' && text[1] == '\n') {
            fprintf(out, "\n\n%*s", indent, "");
            column = indent;
        }
        text += strspn(text, " \n");
        size_t length = strcspn(text, " \n");
        if (length == 0) break;
        if (column > indent && column + 1 + (int)length > width) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', out);
            column++;
        }
        fwrite(text, 1, length, out);
        column += (int)length;
        text += length;
    }
    fputc('\n', out);
}
