/* Any bytes as a network: the first one says whether the nodes are given. What
   is read is written and read again. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "zeroflow/network.h"

static const char *const names[] = {"a", "b", "c", "gates"};

static void look_at(const zf_network *network)
{
    size_t n = zf_network_count(network);
    assert(n >= 2);
    for (size_t i = 0; i < n; i++) {
        assert(zf_network_find(network, zf_network_name(network, i)) == (long)i);
        for (size_t j = 0; j < n; j++) assert(isfinite(zf_network_gate(network, i, j)));
    }
}

/* CSV and JSON, with all gates: the same network comes back. */
static void write_and_read(const zf_network *network, zf_network_format format)
{
    zf_network_options options = {.format = format, .matrix = true};
    zf_network *again = NULL;
    char *text = NULL;
    size_t length, n = zf_network_count(network);
    if (zf_network_encode(&text, &length, network, &options) != ZF_OK) abort();
    if (zf_network_read_memory(&again, "again", text, length, NULL, 0) != ZF_OK) abort();
    assert(zf_network_count(again) == n);
    for (size_t i = 0; i < n; i++) {
        assert(strcmp(zf_network_name(network, i), zf_network_name(again, i)) == 0);
        for (size_t j = 0; j < n; j++)
            assert(zf_network_gate(network, i, j) == zf_network_gate(again, i, j));
    }
    free(text);
    zf_network_free(again);
}

/* The others must not stumble; GraphML may refuse a control character. */
static void write_others(const zf_network *network)
{
    for (int format = ZF_NETWORK_CSV; format <= ZF_NETWORK_NPY; format++) {
        zf_network_options options = {.format = (zf_network_format)format, .threshold = 0.5};
        char *text = NULL;
        size_t length;
        if (zf_network_encode(&text, &length, network, &options) == ZF_OK)
            free(text);
        else
            assert(format == ZF_NETWORK_GRAPHML && !text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    if (n == 0) return 0;
    zf_network *network = NULL;
    zf_accuracy accuracy;
    bool given = bytes[0] & 1;
    if (zf_network_read_memory(&network, "fuzz", bytes + 1, n - 1, given ? names : NULL, 4) !=
        ZF_OK) {
        assert(!network && strncmp(zf_error(), "fuzz:", 5) == 0);
        return 0;
    }
    look_at(network);
    write_and_read(network, ZF_NETWORK_CSV);
    write_and_read(network, ZF_NETWORK_JSON);
    write_others(network);
    if (zf_network_compare(&accuracy, network, network) == ZF_OK) {
        assert(accuracy.auc >= 0 && accuracy.auc <= 1 && accuracy.fpr[accuracy.n_roc - 1] == 1);
        zf_accuracy_free(&accuracy);
    }
    zf_network_free(network);
    return 0;
}
