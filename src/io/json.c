#include "io/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/utf8.h"

typedef struct parser {
    char *at, *end;
    zf_json *values;
    size_t used;
    int depth;
    size_t line; /* a line ends only between values: a raw line end in a string is a fault */
    const char *expected; /* the first fault, which is at at */
    bool starved;
} parser;

static bool fault(parser *p, const char *expected)
{
    p->expected = expected;
    return false;
}

static void skip_blanks(parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'))
        p->line += *p->at++ == '\n';
}

static bool sees(const parser *p, char byte)
{
    return p->at < p->end && *p->at == byte;
}

static bool takes(parser *p, char byte)
{
    if (!sees(p, byte)) return false;
    p->at++;
    return true;
}

static bool take_word(parser *p, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(p->end - p->at) < n || memcmp(p->at, word, n) != 0) return fault(p, "a value");
    p->at += n;
    return true;
}

/* At least one digit. */
static bool take_digits(parser *p)
{
    const char *first = p->at;
    while (p->at < p->end && *p->at >= '0' && *p->at <= '9') p->at++;
    return p->at > first || fault(p, "a digit");
}

static bool take_number(parser *p, zf_json *value)
{
    value->kind = ZF_JSON_NUMBER;
    value->text = p->at;
    takes(p, '-');
    if (!takes(p, '0') && !take_digits(p)) return false;
    if (takes(p, '.') && !take_digits(p)) return false;
    if (takes(p, 'e') || takes(p, 'E')) {
        if (!takes(p, '+')) takes(p, '-');
        if (!take_digits(p)) return false;
    }
    value->n = (size_t)(p->at - value->text);
    return true;
}

/* The four digits of \uXXXX. */
static bool take_code(parser *p, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++) {
        char c = p->at < p->end ? *p->at : 0;
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                                : 16;
        if (digit == 16) return fault(p, "four hexadecimal digits");
        *code = *code * 16 + digit;
        p->at++;
    }
    return true;
}

static char *put_utf8(char *to, uint32_t code)
{
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (char)(lead[more] | code >> 6 * more);
    while (more-- > 0) *to++ = (char)(0x80 | (code >> 6 * more & 0x3f));
    return to;
}

/* \uXXXX, or two of them that are one character, behind the u. */
static bool take_unicode(parser *p, char **to)
{
    uint32_t code, low;
    if (!take_code(p, &code)) return false;
    if (code >= 0xd800 && code <= 0xdbff) {
        if (!takes(p, '\\') || !takes(p, 'u')) return fault(p, "the second half of a surrogate");
        if (!take_code(p, &low)) return false;
        if (low < 0xdc00 || low > 0xdfff) return fault(p, "the second half of a surrogate");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code <= 0xdfff) {
        return fault(p, "no second half of a surrogate alone");
    }
    if (code == 0) return fault(p, "no NUL in a string");
    *to = put_utf8(*to, code);
    return true;
}

/* Behind the backslash. */
static bool take_escape(parser *p, char **to)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (takes(p, 'u')) return take_unicode(p, to);
    const char *found = p->at < p->end && *p->at ? strchr(letters, *p->at) : NULL;
    if (!found) return fault(p, "one of \"\\/bfnrtu behind a backslash");
    *(*to)++ = meanings[found - letters];
    p->at++;
    return true;
}

/* A string, behind its first quote. It never grows, so it is written over itself; the NUL takes
   at most the place of the last quote. */
static bool take_string(parser *p, const char **text, size_t *n)
{
    char *to = p->at;
    *text = to;
    for (;;) {
        if (p->at == p->end) return fault(p, "a quote that ends the string");
        unsigned char c = (unsigned char)*p->at;
        if (c == '"') break;
        if (c < 0x20) return fault(p, "no control character in a string");
        if (c == '\\') {
            p->at++;
            if (!take_escape(p, &to)) return false;
            continue;
        }
        size_t length = zf_utf8_length(p->at, (size_t)(p->end - p->at));
        if (length == 0) return fault(p, "UTF-8");
        memmove(to, p->at, length);
        to += length;
        p->at += length;
    }
    p->at++;
    *to = '\0';
    *n = (size_t)(to - *text);
    return true;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* No name is there twice. Names are few as a rule, then all pairs are compared. */
static bool check_names(parser *p, const zf_json *object)
{
    enum { FEW = 16 };
    const char *few[FEW], **names = few;
    if (object->n > FEW) names = malloc(object->n * sizeof *names);
    if (!names) {
        p->starved = true;
        return false;
    }
    size_t n = 0;
    for (const zf_json *member = object->first; member; member = member->next)
        names[n++] = member->name;
    qsort(names, n, sizeof *names, compare_names);
    bool distinct = true;
    for (size_t i = 1; i < n; i++) distinct = distinct && strcmp(names[i - 1], names[i]) != 0;
    if (names != few) free(names);
    return distinct || fault(p, "no name twice in an object");
}

static bool take_value(parser *p, zf_json *value);

/* The next value of an array or object: in the room that parse has counted out. */
static zf_json *add(parser *p, zf_json *within, zf_json *last)
{
    zf_json *value = &p->values[p->used++];
    *value = (zf_json){0};
    if (last)
        last->next = value;
    else
        within->first = value;
    within->n++;
    return value;
}

static bool take_name(parser *p, zf_json *member)
{
    size_t n;
    skip_blanks(p);
    if (!takes(p, '"')) return fault(p, "a name in quotes");
    if (!take_string(p, &member->name, &n)) return false;
    skip_blanks(p);
    return takes(p, ':') || fault(p, "a colon");
}

/* An array or object, behind its first bracket. */
static bool take_list(parser *p, zf_json *list, bool named)
{
    char closing = named ? '}' : ']';
    zf_json *last = NULL;
    list->kind = named ? ZF_JSON_OBJECT : ZF_JSON_ARRAY;
    skip_blanks(p);
    if (takes(p, closing)) return true;
    if (p->depth == ZF_JSON_DEPTH) return fault(p, "fewer lists within each other");
    p->depth++;
    do {
        last = add(p, list, last);
        if (named && !take_name(p, last)) return false;
        if (!take_value(p, last)) return false;
        skip_blanks(p);
    } while (takes(p, ','));
    if (!takes(p, closing)) return fault(p, named ? "a comma or }" : "a comma or ]");
    p->depth--;
    return !named || check_names(p, list);
}

static bool take_value(parser *p, zf_json *value)
{
    skip_blanks(p);
    if (p->at == p->end) return fault(p, "a value");
    switch (*p->at) {
    case '{':
    case '[':
        return take_list(p, value, *p->at++ == '{');
    case '"':
        p->at++;
        value->kind = ZF_JSON_TEXT;
        return take_string(p, &value->text, &value->n);
    case 't':
        value->kind = ZF_JSON_TRUE;
        return take_word(p, "true");
    case 'f':
        value->kind = ZF_JSON_FALSE;
        return take_word(p, "false");
    case 'n':
        return take_word(p, "null");
    default:
        if (*p->at != '-' && (*p->at < '0' || *p->at > '9')) return fault(p, "a value");
        return take_number(p, value);
    }
}

static bool take_all(parser *p)
{
    skip_blanks(p);
    if (!sees(p, '{') && !sees(p, '[')) return fault(p, "{ or [");
    if (!take_value(p, p->values)) return false;
    skip_blanks(p);
    return p->at == p->end || fault(p, "nothing behind the last bracket");
}

/* The most values that there can be: the first one, and one behind each comma and bracket. */
static size_t count_values(const char *text, size_t n)
{
    size_t values = 1;
    for (size_t i = 0; i < n; i++) values += text[i] == ',' || text[i] == '[' || text[i] == '{';
    return values;
}

zf_status zf_json_parse(zf_json **root, char *text, size_t n, zf_json_fault *fault)
{
    size_t room = count_values(text, n);
    zf_json *values = malloc(room * sizeof *values);
    if (!values) return zf_fail_memory(room * sizeof *values);
    parser p = {.at = text, .end = text + n, .values = values, .used = 1, .line = 1};
    values[0] = (zf_json){0};
    if (take_all(&p)) {
        *root = values;
        return ZF_OK;
    }
    free(values);
    if (p.starved) return zf_fail_memory(room * sizeof(char *));
    *fault = (zf_json_fault){(size_t)(p.at - text), p.line, p.expected};
    return ZF_EINPUT;
}

const zf_json *zf_json_member(const zf_json *object, const char *name)
{
    if (!zf_json_is(object, ZF_JSON_OBJECT)) return NULL;
    for (const zf_json *member = object->first; member; member = member->next)
        if (strcmp(member->name, name) == 0) return member;
    return NULL;
}

const char *zf_json_text(const zf_json *value)
{
    return zf_json_is(value, ZF_JSON_TEXT) ? value->text : NULL;
}

bool zf_json_is(const zf_json *value, zf_json_kind kind)
{
    return value && value->kind == kind;
}

bool zf_json_count(const zf_json *value, uint64_t *count)
{
    if (!zf_json_is(value, ZF_JSON_NUMBER)) return false;
    uint64_t total = 0;
    for (size_t i = 0; i < value->n; i++) {
        char c = value->text[i];
        if (c < '0' || c > '9') return false;
        if (__builtin_mul_overflow(total, 10, &total) ||
            __builtin_add_overflow(total, (uint64_t)(c - '0'), &total) || total > INT64_MAX)
            return false;
    }
    *count = total;
    return true;
}
