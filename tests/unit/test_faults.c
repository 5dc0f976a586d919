/* Memory that runs out: every allocation of every reader and writer is made to
   fail once, in turn. Each time the call must say so (ZF_ENOMEM), leave its
   result alone, leak nothing and leave no file behind.

   The linker sends the library's calls of malloc and its kin through here
   (--wrap). jansson, which writes headers, is starved by its own hook. */
#include "support.h"

#include <archive.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/stream.h"
#include "imagefile.h"
#include "io/idx.h"
#include "io/npy.h"
#include "io/safetensors.h"
#include "scratch.h"
#include "zeroflow/baseline.h"
#include "zeroflow/flow.h"
#include "zeroflow/generate.h"
#include "zeroflow/plot.h"
#include "zeroflow/table.h"
#include "zeroflow/vision.h"

static bool armed;
static long countdown, live;

/* Counts down to the allocation that fails. */
static bool refuses(void)
{
    return armed && countdown-- == 0;
}

static void *count(void *memory)
{
    if (memory && armed) live++;
    return memory;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void __real_free(void *memory);
void *__real_aligned_alloc(size_t align, size_t bytes);
char *__real_strdup(const char *text);
char *__real_realpath(const char *path, char *resolved);

void *__wrap_malloc(size_t bytes)
{
    return refuses() ? NULL : count(__real_malloc(bytes));
}

void *__wrap_calloc(size_t n, size_t bytes)
{
    return refuses() ? NULL : count(__real_calloc(n, bytes));
}

void *__wrap_realloc(void *old, size_t bytes)
{
    if (refuses()) return NULL;
    void *memory = __real_realloc(old, bytes);
    return old ? memory : count(memory);
}

void *__wrap_aligned_alloc(size_t align, size_t bytes)
{
    return refuses() ? NULL : count(__real_aligned_alloc(align, bytes));
}

char *__wrap_strdup(const char *text)
{
    return refuses() ? NULL : count(__real_strdup(text));
}

/* Not failed: its NULL means that there is no such file yet. */
char *__wrap_realpath(const char *path, char *resolved)
{
    return count(__real_realpath(path, resolved));
}

void __wrap_free(void *memory)
{
    if (memory && armed) live--;
    __real_free(memory);
}

static zf_status read_table(const char *path)
{
    zf_table *table = NULL;
    zf_matrix matrix;
    zf_status status = zf_table_read(&table, path, NULL);
    if (status != ZF_OK) {
        assert_null(table);
        return status;
    }
    status = zf_table_check(table);
    if (status == ZF_OK) status = zf_table_matrix(&matrix, table, NULL, 0, ZF_MISSING_DROP);
    if (status == ZF_OK) zf_matrix_free(&matrix);
    zf_table_free(table);
    return status;
}

static zf_status read_npy(const char *path)
{
    zf_npy array;
    float *values = NULL;
    zf_status status = zf_npy_read(&values, &array, path);
    assert_true((status == ZF_OK) == (values != NULL));
    free(values);
    return status;
}

static zf_status read_idx(const char *path)
{
    zf_idx array;
    uint8_t *bytes = NULL;
    float *values = NULL;
    zf_status status = zf_idx_read_bytes(&bytes, &array, path);
    free(bytes);
    if (status == ZF_OK) status = zf_idx_read(&values, &array, path);
    free(values);
    return status;
}

static zf_status read_safetensors(const char *path)
{
    zf_safetensors *file = NULL;
    zf_status status = zf_safetensors_open(&file, path);
    assert_true((status == ZF_OK) == (file != NULL));
    zf_safetensors_close(file);
    return status;
}

static zf_status write_safetensors(const char *path)
{
    static const float values[4] = {1, 2, 3, 4};
    const zf_tensor tensors[] = {{.name = "a", .rank = 2, .dim = {2, 2}, .data = values},
                                 {.name = "b", .data = values}};
    const zf_metadata metadata[] = {{"z", "1"}, {"k", "2"}};
    return zf_safetensors_write(path, tensors, 2, metadata, 2);
}

static zf_status write_npy(const char *path)
{
    static const float values[4] = {1, 2, 3, 4};
    return zf_npy_write(path, ZF_FLOAT32, 1, (const int64_t[]){4}, values);
}

static zf_status write_image(const char *path)
{
    static const double x[] = {1, 2, 3};
    static const zf_series series[] = {{.name = "line", .x = x, .y = x, .n = 3},
                                       {.x = x, .y = x, .n = 3, .style = ZF_SERIES_POINTS},
                                       {.x = x, .y = x, .n = 3, .style = ZF_SERIES_AREA}};
    static const zf_chart chart = {.title = "t", .series = series, .n_series = 3};
    return zf_plot_charts(path, &(zf_figure){.width = 200}, &chart, 1);
}

static zf_status write_matrix(const char *path)
{
    static const double values[] = {1, 0, 0.5, -1};
    static const zf_matrix_panel panel = {"m", values, 2, 2, 0, 0, "x", "y", NULL};
    return zf_plot_matrices(path, &(zf_figure){.width = 200}, &panel, 1);
}

static zf_status write_roc(const char *path)
{
    static const double x[] = {0, 1};
    static const zf_roc_curve curve = {"c", 0.5, x, x, 2, 0, false};
    static const zf_roc_panel panel = {"p", &curve, 1};
    return zf_plot_roc(path, &(zf_figure){.width = 200}, &panel, 1, 0);
}

static zf_status write_planes(const char *path)
{
    static const double x[] = {0, 1};
    static const zf_layer layers[] = {{"a", ZF_LAYER_PATHS, x, x, NULL, NULL, 2, 1, 0},
                                      {"b", ZF_LAYER_ARROWS, x, x, x, x, 2, 2, 0},
                                      {"c", ZF_LAYER_POINTS, x, x, NULL, NULL, 2, 3, 0}};
    static const zf_plane plane = {.title = "t", .layers = layers, .n_layers = 3};
    static const zf_plane_row row = {"r", &plane, 1};
    return zf_plot_planes(path, &(zf_figure){.width = 200}, &row, 1);
}

static zf_status write_training(const char *path)
{
    static const double x[] = {0, 1};
    return zf_plot_training(path, &(zf_figure){.width = 200}, x, x, 2, NULL, 1);
}

/* The method is named by the path. */
static zf_status find_graph(const char *path)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    static const zf_baseline methods[] = {ZF_BASELINE_GLASSO, ZF_BASELINE_PC, ZF_BASELINE_PARTIAL,
                                          ZF_BASELINE_RANK};
    double values[8 * 6];
    zf_graph *graph = NULL;
    zf_baseline_details details = {0};
    size_t k = 0;
    while (strcmp(path, zf_baseline_name(methods[k])) != 0) k++;
    zf_baseline_options options = zf_baseline_defaults(methods[k]);
    options.threads = 1;
    draw_normals(values, 8 * 6, 1);
    /* Seven rows of six columns are shrunk. */
    zf_status status = zf_baseline_run(&graph, &details, values, 7, names, 6, &options);
    assert_true((status == ZF_OK) == (graph != NULL));
    zf_graph_free(graph);
    free(details.precision);
    return status;
}

static zf_status read_graph(const char *path)
{
    zf_graph *graph = NULL;
    zf_accuracy accuracy = {0};
    zf_status status = zf_graph_read(&graph, path, NULL, 0);
    assert_true((status == ZF_OK) == (graph != NULL));
    if (status == ZF_OK) status = zf_graph_compare(&accuracy, graph, graph);
    assert_true((status == ZF_OK) == (accuracy.fpr != NULL));
    zf_accuracy_free(&accuracy);
    zf_graph_free(graph);
    return status;
}

static zf_status write_graph(const char *path)
{
    static const char *const names[] = {"a", "b", "c"};
    zf_graph *graph = NULL;
    zf_graph_options options = {.struct_size = sizeof options, .format = ZF_GRAPH_GRAPHML};
    zf_status status = zf_graph_new(&graph, names, 3, NULL);
    if (status == ZF_OK) status = zf_graph_write(graph, path, &options);
    zf_graph_free(graph);
    return status;
}

static zf_status generate(const char *path)
{
    double *values = NULL;
    zf_graph *truth = NULL;
    double *precision = NULL;
    char *text = NULL;
    size_t length;
    zf_generate_options options = zf_generate_defaults(ZF_CHAIN);
    options.variables = 70;
    options.rows = 3;
    options.threads = 1;
    options.law = path[0] == 't' ? ZF_TRUNCATED : ZF_NONPARANORMAL;
    zf_status status = zf_generate(&values, &truth, &precision, &options);
    assert_true((status == ZF_OK) == (values && truth && precision));
    if (status == ZF_OK) {
        zf_numbers numbers = {.doubles = precision, .rows = 70, .columns = 70};
        status = zf_table_encode(&text, &length, &numbers);
    }
    free(values);
    free(precision);
    free(text);
    zf_graph_free(truth);
    return status;
}

/* A flow's whole life: fitted, saved, read, looked at, followed. */
static zf_status live_as_flow(const char *path)
{
    double x[20], v[20];
    zf_flow *flow = NULL, *read = NULL;
    zf_flow_options options = zf_flow_defaults();
    options.hidden = 4, options.iterations = 2, options.batch = 8, options.threads = 1;
    zf_transport_options way = zf_transport_defaults();
    way.steps = 2;
    draw_normals(x, 20, 1);
    zf_flow_sample sample = {x, 10, 2}, known = {x, 10, 1};
    zf_status status = zf_flow_fit_given(&flow, NULL, sample, known, known, &options);
    assert_true((status == ZF_OK) == (flow != NULL));
    json_set_alloc_funcs(__wrap_malloc, __wrap_free);
    if (status == ZF_OK) status = zf_flow_save(flow, path);
    json_set_alloc_funcs(__real_malloc, __real_free);
    if (status == ZF_OK) status = zf_flow_load(&read, path);
    assert_true((status == ZF_OK) == (read != NULL));
    if (status == ZF_OK) status = zf_flow_velocity(read, 0.5, x, x, x, 10, v);
    if (status == ZF_OK) status = zf_flow_transport(read, x, x, x, 10, &way, v, NULL);
    if (status != ZF_OK) remove(path);
    zf_flow_free(flow);
    zf_flow_free(read);
    return status;
}

static zf_images *photos;
static zf_vision_method method;

static zf_pretrain_options smallest(void)
{
    zf_pretrain_options options = zf_pretrain_defaults(method);
    options.dim = 3, options.hidden = 2, options.blocks = 1, options.batch = 2;
    options.decoder_dim = 4, options.decoder_blocks = 1;
    options.iterations = 1, options.threads = 1;
    options.held_out = photos;
    return options;
}

/* A vision model's whole life: trained and watched, saved, read, asked. */
static zf_status live_as_vision(const char *path)
{
    float variables[4 * 3];
    zf_vision *model = NULL, *read = NULL;
    zf_pretrain_options options = smallest();
    zf_view_options views = zf_view_defaults();
    zf_status status = zf_pretrain(&model, NULL, photos, &options);
    assert_true((status == ZF_OK) == (model != NULL));
    json_set_alloc_funcs(__wrap_malloc, __wrap_free);
    if (status == ZF_OK) status = zf_vision_save(model, path);
    json_set_alloc_funcs(__real_malloc, __real_free);
    if (status == ZF_OK) status = zf_vision_load(&read, path);
    assert_true((status == ZF_OK) == (read != NULL));
    if (status == ZF_OK)
        status = zf_vision_embed(read, variables, photos, NULL, 4, &views, 1, (zf_report){0});
    if (status != ZF_OK) remove(path);
    zf_vision_free(model);
    zf_vision_free(read);
    return status;
}

static zf_status list_images(const char *path)
{
    return zf_images_list(photos, path, false);
}

/* By one thread: the counters are not for several. */
static zf_status read_images(const char *path)
{
    zf_images *images = NULL;
    zf_image_stream *stream = NULL;
    zf_images_options options = zf_images_defaults();
    options.threads = 1;
    options.size = 8;
    zf_status status = zf_images_open(&images, path, &options);
    assert_true((status == ZF_OK) == (images != NULL));
    if (status == ZF_OK) status = zf_image_stream_new(&stream, images, 0, 2, 0);
    assert_true((status == ZF_OK) == (stream != NULL));
    zf_image_stream_free(stream);
    zf_images_free(images);
    return status;
}

/* The same without keeping the images. */
static zf_status try_images(const char *path)
{
    zf_images *images = NULL;
    zf_images_options options = zf_images_defaults();
    options.threads = 1;
    options.size = 8;
    options.memory = 1;
    zf_status status = zf_images_open(&images, path, &options);
    assert_true((status == ZF_OK) == (images != NULL));
    if (status == ZF_OK) assert_int_equal(zf_images_describe(images)->refused, 2);
    zf_images_free(images);
    return status;
}

static zf_status write_samples(const char *path)
{
    static const float values[12] = {0, 0.5f, 1, 2};
    static const float *const images[] = {values, values};
    static const char *const captions[] = {"a", "b"};
    static const zf_image_row row = {"t", images, captions, 2};
    return zf_plot_images(path, &(zf_figure){.width = 200}, 2, &row, 1);
}

/* Fails the first allocation, then the second, ... until nothing fails. */
static void starve(zf_status (*run)(const char *), const char *path, bool writes)
{
    size_t files = scratch_count();
    long failures = 0;
    zf_status status;
    do {
        countdown = failures;
        armed = true;
        status = run(path);
        armed = false;
        assert_int_equal(live, 0);
        if (status == ZF_OK) break;
        if (status != ZF_ENOMEM) print_error("allocation %ld: %s\n", failures, zf_error());
        assert_int_equal(status, ZF_ENOMEM);
        assert_non_null(strstr(zf_error(), "out of memory"));
        if (writes) assert_int_equal(scratch_count(), files);
        failures++;
    } while (failures < 10000);
    assert_int_equal(status, ZF_OK);
    assert_true(failures > 1); /* or nothing was tested */
    if (writes) assert_int_equal(scratch_count(), files + 1);
}

static void tables_starve_cleanly(void **state)
{
    (void)state;
    starve(read_table,
           scratch_text("a.csv", "a,b,c,,d,e\n1,2,x,,1,3\n2,1,y,2020-01-01,2,\n3,9,x,,3,12\n"
                                 "4,4,\"q\"\"r\",,4,8\n5,1,true,,5,6\n6,0,-1,1e39,6,6\n"),
           false);
    starve(read_table, scratch_text("b.csv", "1,2\n3,5\n4,4\n5,5\n"), false);
    starve(read_table, scratch_gzip("c.csv", "a b\n1 2\n3 5\n4 4\n", 16), false);
    starve(read_table, golden_path("fortran.npy"), false);
    char wide[4000] = "";
    for (int i = 0; i < 100; i++) snprintf(wide + strlen(wide), 20, "%sc%d", i ? "," : "", i);
    strcat(wide, "\n");
    for (int i = 0; i < 100; i++) snprintf(wide + strlen(wide), 20, "%s%d", i ? "," : "", i * i);
    strcat(wide, "\n");
    for (int i = 0; i < 100; i++) snprintf(wide + strlen(wide), 20, "%s%d", i ? "," : "", i);
    starve(read_table, scratch_text("wide.csv", wide), false);
}

static void arrays_starve_cleanly(void **state)
{
    (void)state;
    starve(read_npy, golden_path("le_f4.npy"), false);
    starve(read_npy, golden_path("le_f4.npy.gz"), false);
    starve(read_idx, scratch_write("a.idx", "\0\0\x08\1\0\0\0\2ab", 10), false);
    starve(read_safetensors, golden_path("model.safetensors"), false);
}

static void graphs_starve_cleanly(void **state)
{
    (void)state;
    char many[8000] = "source,target,score\n"; /* more nodes and edges than the first rooms hold */
    for (int i = 0; i < 300; i++)
        snprintf(many + strlen(many), 24, "n%d,\"n%d\",%d\n", i % 70, i % 70 + 1 + i % 3, i);
    starve(read_graph, scratch_text("a.csv", many), false);
    starve(read_graph, scratch_text("b.csv", "gates,a,b,c\na,0,1,0\nb,1,0,0\nc,0,0,0\n"), false);
    starve(read_graph,
           scratch_text("c.json",
                        "{\"nodes\":[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\",\"j\","
                        "\"k\",\"l\",\"m\",\"n\",\"o\",\"p\",\"q\"],\"edges\":[{\"source\":\"a\","
                        "\"target\":\"b\",\"score\":2}]}"),
           false);
    scratch_clear();
    starve(write_graph, scratch_path("a.graphml"), true);
    starve(generate, "truncated", false);
    starve(generate, "cubed", false);
}

static void writers_starve_cleanly(void **state)
{
    (void)state;
    scratch_clear();
    json_set_alloc_funcs(__wrap_malloc, __wrap_free);
    starve(write_safetensors, scratch_path("a.safetensors"), true);
    json_set_alloc_funcs(__real_malloc, __real_free); /* plain malloc would be wrapped here */
    starve(write_npy, scratch_path("a.npy"), true);
}

static void sheets_starve_cleanly(void **state)
{
    (void)state;
    scratch_clear();
    starve(write_image, scratch_path("a.png"), true);
    starve(write_image, scratch_path("a.svg"), true);
    starve(write_matrix, scratch_path("b.png"), true);
    starve(write_matrix, scratch_path("b.svg"), true);
    starve(write_roc, scratch_path("c.svg"), true);
    starve(write_training, scratch_path("d.svg"), true);
    starve(write_planes, scratch_path("e.svg"), true);
    starve(write_samples, scratch_path("f.png"), true);
}

static void flows_starve_cleanly(void **state)
{
    (void)state;
    scratch_clear();
    starve(live_as_flow, scratch_path("flow.model"), true);
}

static void visions_starve_cleanly(void **state)
{
    (void)state;
    static const char *const names[] = {"set/a/1.png", "set/a/2.png", "set/b/1.png", "set/b/2.png"};
    zf_images_options options = zf_images_defaults();
    options.threads = 1, options.size = 16;
    scratch_clear();
    for (int i = 0; i < 4; i++) {
        image_bytes png = image_scene_png(16, 16, i);
        image_place(names[i], png.data, png.n);
        free(png.data);
    }
    assert_ok(zf_images_open(&photos, scratch_path("set"), &options));
    for (method = ZF_VISION_ZEROFLOW; method <= ZF_VISION_MAE; method++) {
        starve(live_as_vision, scratch_path("vision.model"), true);
        remove(scratch_path("vision.model"));
    }
    starve(list_images, scratch_path("list.csv"), true);
    zf_images_free(photos);
}

/* An image that is left out when memory runs out would end in ZF_OK. */
static void starve_images(zf_status (*run)(const char *), const char *path)
{
    starve(run, path, false);
    assert_true(countdown >= 0); /* or an allocation failed and nobody said so */
}

static void images_starve_cleanly(void **state)
{
    (void)state;
    scratch_clear();
    uint8_t scene[3 * 9 * 7];
    image_scene(scene, 9, 7, 2);
    image_bytes png = image_scene_png(9, 7, 1), passes = image_png(scene, 9, 7, 1),
                jpeg = image_jpeg(scene, 9, 7);
    scratch_gzip("a-labels", "\0\0\x08\1\0\0\0\1\2", 9);
    starve_images(read_images,
                  scratch_gzip("a-images", "\0\0\x08\3\0\0\0\1\0\0\0\2\0\0\0\2abcd", 20));
    char cifar[2 * 3073] = {0};
    scratch_text("batches.meta.txt", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    starve_images(read_images, scratch_write("test_batch.bin", cifar, sizeof cifar));
    image_place("set/a/1.png", png.data, png.n);
    image_place("set/b/2.png", png.data, png.n);
    starve_images(read_images, scratch_path("set"));
    image_place("set/b/cut.png", png.data, png.n / 2);
    image_place("set/b/interlaced.png", passes.data, passes.n);
    image_place("set/c/photo.jpg", jpeg.data, jpeg.n);
    image_place("set/c/text.jpg", "hello", 5);
    starve_images(read_images, scratch_path("set"));
    starve_images(try_images, scratch_path("set"));
    free(passes.data);
    free(jpeg.data);
    const image_entry entries[] = {{"a/1.png", png}, {"b/1.png", png}};
    starve_images(read_images, image_tar("set.tar", ARCHIVE_FORMAT_TAR_USTAR, entries, 2));
    free(png.data);
}

static void baselines_starve_cleanly(void **state)
{
    (void)state;
    starve(find_graph, "glasso", false);
    starve(find_graph, "pc", false);
    starve(find_graph, "partial", false);
    starve(find_graph, "rank", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_starve_cleanly),    cmocka_unit_test(arrays_starve_cleanly),
        cmocka_unit_test(graphs_starve_cleanly),    cmocka_unit_test(writers_starve_cleanly),
        cmocka_unit_test(sheets_starve_cleanly),    cmocka_unit_test(flows_starve_cleanly),
        cmocka_unit_test(baselines_starve_cleanly), cmocka_unit_test(images_starve_cleanly),
        cmocka_unit_test(visions_starve_cleanly),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
