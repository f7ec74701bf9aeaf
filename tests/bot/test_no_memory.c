/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every parser of foreign bytes with each of its allocations failing in turn: it says so, crashes
 * nowhere and leaks nothing. */
#include "bot/cli/commands.h"
#include "bot/config/config.h"
#include "bot/lichess/api.h"
#include "bot/lichess/event.h"
#include "bot/ops/line_reader.h"
#include "bot/lichess/api_error.h"
#include "bot/lichess/token_life.h"
#include "bot/lichess/arena_info.h"
#include "bot/ops/control.h"
#include "bot/config/namelist.h"
#include "bot/child/child_launch.h"
#include "bot/child/child_process.h"
#include "bot/source/online_answer.h"
#include "engine/book/book.h"
#include "engine/core/fen.h"
#include "engine/search/engine.h"
#include "engine/uci/protocol.h"
#include "tests/support/failing_memory.h"
#include "tests/support/random_network.h"
#include "tests/support/syzygy_maker.h"
#include "tests/support/unit.h"

#include <curl/curl.h>
#include <errno.h>
#include <glob.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#if REPLACED

static bool parse_event(const char *text)
{
    Event event;
    Error err = { 0 };
    bool ok = event_parse(&event, text, strlen(text), &err);
    if (ok)
        event_release(&event);
    return ok;
}

TEST(events_without_memory)
{
    static const char *const files[] = { "event-stream.ndjson", "game-stream.ndjson" };
    for (size_t i = 0; i < 2; i++) {
        char path[1000];
        static char line[10000];
        assert_true(snprintf(path, sizeof path, "%s/events/%s", TEST_DATA_DIR, files[i]) > 0);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        while (fgets(line, sizeof line, file))
            fail_each(parse_event, line, WITH_JSONC);
        fclose(file);
    }
}

static bool parse_playing(const char *text)
{
    Playing playing;
    bool ok = playing_parse(&playing, text, strlen(text), NULL);
    if (ok)
        playing_release(&playing);
    return ok;
}

static bool parse_account(const char *text)
{
    Account account;
    bool ok = account_parse(&account, text, strlen(text), NULL);
    if (ok)
        account_release(&account);
    return ok;
}

static bool parse_token_life(const char *text)
{
    TokenLife life;
    return token_life_parse(&life, text_of(text), NULL);
}

static bool parse_tournament(const char *text)
{
    ArenaInfo info;
    return arena_info_parse(&info, text, strlen(text), NULL);
}

static bool parse_listed_tournament(const char *text)
{
    ListedArena arena;
    return listed_arena_parse(&arena, text, strlen(text), NULL);
}

static bool parse_refusal(const char *text)
{
    ApiError refusal;
    api_error_parse(&refusal, text_of(text));
    return refusal.text[0] != '\0';
}

TEST(bodies_without_memory)
{
    fail_each(parse_playing,
              "{\"nowPlaying\":[{\"gameId\":\"aaaaaaaa\"},{\"gameId\":"
              "\"bbbbbbbb\",\"opponent\":{\"id\":\"x\"}}]}",
              WITH_JSONC);
    fail_each(parse_account,
              "{\"id\":\"castled-bot\",\"username\":\"Castled-Bot\","
              "\"title\":\"BOT\"}",
              WITH_JSONC);
    fail_each(parse_token_life, "{\"lip_x\":{\"expires\":7}}", WITH_JSONC);
    fail_each(parse_tournament, "{\"fullName\":\"Bots\",\"me\":{\"withdraw\":true}}", WITH_JSONC);
    fail_each(parse_listed_tournament,
              "{\"id\":\"AbCd1234\",\"clock\":{\"limit\":60},\"startsAt\":1,\"finishesAt\":2}",
              WITH_JSONC);
    fail_each(parse_refusal,
              "{\"error\":{\"a\":[\"wrong\"]},\"ratelimit\":{\"key\":"
              "\"k\",\"seconds\":1}}",
              WITH_JSONC);
}

static Position at_the_start(void)
{
    Position position;
    assert_true(fen_read(&position, FEN_START, FEN_STRICT, NULL, NULL));
    return position;
}

static bool parse_explorer(const char *text)
{
    static ExplorerAnswer answer;
    Position position = at_the_start();
    return explorer_answer_parse(&answer, &position, text, strlen(text), NULL);
}

static bool parse_cloud(const char *text)
{
    static CloudAnswer answer;
    Position position = at_the_start();
    return cloud_answer_parse(&answer, &position, text, strlen(text), NULL);
}

static bool parse_table(const char *text)
{
    static TableAnswer answer;
    Position position = at_the_start();
    return table_answer_parse(&answer, &position, text, strlen(text), NULL);
}

static bool parse_chessdb(const char *text)
{
    static ChessdbAnswer answer;
    Position position = at_the_start();
    return chessdb_answer_parse(&answer, &position, text, strlen(text), NULL);
}

TEST(answers_from_the_web_without_memory)
{
    fail_each(parse_explorer, "{\"moves\":[{\"uci\":\"e2e4\",\"white\":1}]}", WITH_JSONC);
    fail_each(parse_cloud, "{\"depth\":9,\"pvs\":[{\"moves\":\"e2e4 e7e5\",\"cp\":1}]}",
              WITH_JSONC);
    fail_each(parse_table, "{\"moves\":[{\"uci\":\"e2e4\",\"category\":\"draw\"}]}", WITH_JSONC);
    fail_each(parse_chessdb, "{\"status\":\"ok\",\"moves\":[{\"uci\":\"e2e4\",\"score\":1}]}",
              WITH_JSONC);
}

static bool parse_config(const char *text)
{
    Config config;
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    bool ok = config_parse(&config, "c", text, strlen(text), &problems);
    if (ok)
        config_release(&config);
    buf_release(&problems);
    return ok;
}

TEST(a_configuration_without_memory)
{
    fail_each_allocation(parse_config, "[challenge]\nallow = adam, eve\nblock = mallory\n"
                                       "[engine]\nhash = 16\n"
                                       "[rule a]\nwhen.opponent = adam, eve\n"
                                       "challenge.block = mallory\n[rule b]\n");
}

static bool parse_names(const char *text)
{
    UserList names;
    bool ok = namelist_parse(&names, text, strlen(text), NULL);
    if (ok)
        user_list_release(&names);
    return ok;
}

TEST(a_list_of_names_without_memory)
{
    char names[1000];
    size_t len = 0;
    for (int i = 0; i < 100; i++) /* more than it makes room for at first */
        len += (size_t)snprintf(names + len, sizeof names - len, "user%d\n", i % 80);
    fail_each_allocation(parse_names, names);
}

static void count_line(void *user, const char *line, size_t len)
{
    (void)line;
    (void)len;
    ++*(int *)user;
}

static void ignore(void *user)
{
    (void)user;
}

static void ignore_skipped(void *user, const char *start, size_t len, size_t line_len)
{
    (void)user;
    (void)start;
    (void)len;
    (void)line_len;
}

static bool read_lines(const char *text)
{
    int lines = 0;
    LineReaderCallbacks callbacks = { count_line, ignore, ignore_skipped, &lines };
    LineReader reader;
    line_reader_init(&reader, &callbacks, 1000);
    for (; *text; text++)
        line_reader_feed(&reader, text, 1);
    line_reader_release(&reader);
    return lines == 2;
}

TEST(lines_without_memory)
{
    fail_each_allocation(read_lines, "{\"type\":\"one\"}\n\n{\"type\":\"two\"}\n");
}

static void on_answer(void *user, const ApiAnswer *answer)
{
    (void)user;
    (void)answer;
}

static void on_event(void *user, const Event *event)
{
    (void)user;
    (void)event;
}

static bool make_calls(Api *api)
{
    static const ApiStreamCallbacks stream = { .on_event = on_event, .on_end = on_answer };
    Error err = { 0 };
    static const ApiMove move = { .uci = "e2e4" };
    return api_call(api, ENDPOINT_ACCOUNT, NULL, on_answer, NULL, &err) &&
           api_stream(api, ENDPOINT_EVENTS, NULL, &stream, &err) &&
           api_stream(api, ENDPOINT_GAME, "abcdefgh", &stream, &err) &&
           api_move(api, "abcdefgh", &move, on_answer, NULL, &err);
}

static uv_loop_t loop;

/* A client of the server, up to the requests on their way; then there is memory again, or libuv
 * would end the process. */
static bool start_requests(const char *origin)
{
    Http *http = NULL;
    Api *api = NULL;
    const HttpOptions options = { .origin = origin, .token = "lip_secret" };
    bool ok = http_new(&http, &loop, &options, NULL) && api_new(&api, http, origin, NULL) &&
              make_calls(api);
    memory_is_back();
    api_free(api);
    if (http)
        http_close(http, NULL, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    return ok;
}

TEST(requests_without_memory)
{
    curl_global_init(CURL_GLOBAL_DEFAULT);
    assert_int_equal(uv_loop_init(&loop), 0); /* it ends the process without memory */
    start_requests("https://127.0.0.1:1");    /* what libraries keep for good */
    fail_each_allocation(start_requests, "https://127.0.0.1:1");
    uv_loop_close(&loop);
}

static void on_process_end(void *user, const char *why)
{
    (void)why;
    *(bool *)user = true;
}

static bool start_process(const char *program)
{
    ChildCommand command;
    ChildProcess *process = NULL;
    bool has_ended = false;
    const ChildCallbacks callbacks = { .on_end = on_process_end, .user = &has_ended };
    bool ok = child_command_parse(&command, program, NULL) && child_command_find(&command, NULL) &&
              child_process_new(&process, &loop, &command, NULL, &callbacks, NULL);
    memory_is_back();
    if (process)
        child_process_close(process);
    uv_run(&loop, UV_RUN_DEFAULT);
    return ok;
}

TEST(an_engines_process_without_memory)
{
    assert_int_equal(uv_loop_init(&loop), 0);
    start_process("/bin/true"); /* what libraries keep for good */
    fail_each_allocation(start_process, "/bin/true");
    uv_loop_close(&loop);
}

static bool open_book(const char *path)
{
    Book *book = NULL;
    bool ok = book_open(&book, path, NULL);
    book_free(book);
    return ok;
}

static void put_file(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

TEST(a_book_without_memory)
{
    static const uint8_t entry[16] = { 1 };
    put_file("book.bin", entry, sizeof entry);
    fail_each_allocation(open_book, "book.bin");
}

static bool load_network(const char *path)
{
    Network *network = NULL;
    bool ok = network_load(&network, path, NULL);
    network_free(network);
    return ok;
}

TEST(a_network_without_memory)
{
    size_t size;
    uint8_t *bytes = random_network_file(1, 32, 1, &size);
    put_file("net.nnue", bytes, size);
    free(bytes);
    fail_each_allocation(load_network, "net.nnue");
}

static bool probe_tables(const char *directory)
{
    Tablebase *tables = NULL;
    Position pos;
    TablebaseValue wdl;
    if (!tablebase_open(&tables, directory, NULL))
        return false;
    bool ok = fen_read(&pos, "8/8/8/3k4/8/8/4Q3/K7 w - -", FEN_LENIENT, NULL, NULL) &&
              tablebase_probe_wdl(tables, &pos, &wdl);
    tablebase_free(tables);
    return ok;
}

TEST(tables_without_memory)
{
    static uint8_t bits[MAKER_BITS_SIZE], constant[MAKER_CONSTANT_SIZE];
    maker_bits_wdl(bits, MAKER_QUEEN);
    maker_constant_dtz(constant, MAKER_QUEEN, 0, 3);
    put_file("KQvK.rtbw", bits, sizeof bits);
    put_file("KQvK.rtbz", constant, sizeof constant);
    put_file("KRvK.rtbw", constant, sizeof constant - 1); /* of no table's size */
    fail_each_allocation(probe_tables, ".");
}

static bool change_engine(const char *fen)
{
    Engine *engine = NULL;
    Position pos;
    EngineOptions options = { .threads = 1, .hash_mib = 1 };
    if (!fen_read(&pos, fen, FEN_STRICT, NULL, NULL) || !engine_new(&engine, &options, NULL))
        return false;
    engine_set_position(engine, &pos);
    options.threads = 2;
    options.hash_mib = 2;
    bool ok = engine_set_options(engine, &options, NULL);
    engine_clear(engine);
    engine_free(engine);
    return ok;
}

TEST(an_engine_without_memory)
{
    fail_each_allocation(change_engine, FEN_START);
}

static bool is_complaint;

static void take_answer(void *user, const char *text)
{
    (void)user;
    is_complaint |= strstr(text, "error") != NULL;
}

static bool obey(const char *lines)
{
    Uci *uci = NULL;
    is_complaint = false;
    if (!uci_new(&uci, take_answer, NULL, NULL))
        return false;
    while (*lines) {
        size_t len = strcspn(lines, "\n");
        if (!uci_handle(uci, lines, len))
            break;
        lines += len + 1;
    }
    uci_free(uci);
    return !is_complaint;
}

TEST(a_uci_session_without_memory)
{
    fail_each_allocation(obey, "uci\nsetoption name Hash value 2\nsetoption name Threads value 2\n"
                               "setoption name SyzygyPath value .\nposition startpos moves e2e4\n"
                               "d\neval\ngo nodes 1\nstop\nquit\n");
}

static void on_request(void *user, ControlCall *call, Text words)
{
    (void)user;
    (void)words;
    control_answer(call, "{}");
}

/* A client that sends a line at once. */
static int connect_client(void)
{
    const struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "socket" };
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(send(fd, "x\n", 2, MSG_NOSIGNAL), 2);
    return fd;
}

static ssize_t hear(uv_loop_t *on, int fd, char *out, size_t size)
{
    ssize_t n = -1;
    for (int i = 0; i < 1000 && n < 0; i++) {
        uv_run(on, UV_RUN_NOWAIT);
        n = recv(fd, out, size, 0);
        if (n < 0)
            usleep(1000);
    }
    return n;
}

TEST(clients_without_memory_do_not_make_the_control_socket_deaf)
{
    uv_loop_t own;
    Control *control;
    char answer[10];
    assert_int_equal(uv_loop_init(&own), 0);
    assert_true(control_new(&control, &own, "socket", NULL, on_request, NULL, NULL));
    int first = connect_client(), second = connect_client();
    allocations = 0;
    fail_at = 1;
    is_counting = true;
    ssize_t n = hear(&own, first, answer, sizeof answer);
    ssize_t m = hear(&own, second, answer, sizeof answer);
    is_counting = false;
    memory_is_back();
    assert_true(n == 0 && m == 0); /* hung up */
    int third = connect_client();
    assert_int_equal(hear(&own, third, answer, sizeof answer), 3);
    assert_memory_equal(answer, "{}\n", 3);
    close(first);
    close(second);
    close(third);
    control_close(control);
    uv_run(&own, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&own), 0);
}

/* The descriptor that would be given next. */
static int next_descriptor(void)
{
    int fd = dup(0);
    assert_true(fd >= 0);
    close(fd);
    return fd;
}

TEST(a_report_without_memory_leaves_neither_file_nor_descriptor)
{
    glob_t left;
    int before = next_descriptor();
    allocations = 0;
    fail_at = 1;
    is_counting = true;
    ExitStatus status =
        command_report.run(&(CommandOptions){ .command = &command_report, .config_file = "c" });
    is_counting = false;
    memory_is_back();
    assert_int_equal(status, EXIT_FAULT);
    assert_true(allocations >= 1);
    assert_int_equal(glob("castled-report*", 0, NULL, &left), GLOB_NOMATCH);
    assert_int_equal(next_descriptor(), before);
    globfree(&left);
}

static char folder[] = "/tmp/castled-memory-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int drop_folder(void **state)
{
    static const char *const names[] = { "c",         "book.bin",  "net.nnue",
                                         "KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbw" };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(names[i]);
    return chdir("/") == 0 ? rmdir(folder) : -1;
}

TESTS_IN(make_folder, drop_folder)

int main(int argc, char **argv)
{
    if (child_launch_is_asked(argc, argv))
        return child_launch(argc, argv);
    return run_all_tests();
}

#else

int main(void)
{
    return 77; /* skipped */
}

#endif
