/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/uci/protocol.h"

#include "engine/base/buf.h"
#include "engine/core/fen.h"
#include "engine/core/outcome.h"
#include "engine/core/perft.h"
#include "engine/core/uci_move.h"
#include "engine/core/variant_rules.h"
#include "engine/eval/network.h"
#include "engine/human/policy_folder.h"
#include "engine/human/policy_network.h"
#include "engine/search/engine.h"
#include "engine/uci/command.h"
#include "engine/uci/options.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_MAX = 64 * 1024 /* bytes of one answer */, VARIED_MOVES = 8 };

struct Uci {
    UciWrite write;
    void *user;
    Engine *engine;
    UciOptions options;
    Tablebase *tablebase;             /* what options.syzygy_path names, or NULL */
    Network *networks[RULESET_COUNT]; /* what EvalFile has named, of each set of rules, or NULL */
    PolicyNetwork *human;             /* what options.human_file names, or NULL */
    Position pos;
    HumanHistory history;     /* that `pos` is the newest of */
    bool is_position_refused; /* the last one: `pos` is an older one */
    uint64_t games;           /* begun: weak play has other luck in each */
    bool stopping;            /* the running search was stopped */
    _Atomic bool searching;   /* set by us, cleared by the engine's thread before "bestmove" */
    Position search_pos;      /* written before a search, read by its callbacks */
    Buf search_out;           /* the callbacks' own */
    CastlingNotation notation;
};

/* Writes what was gathered, unless memory ran out on the way. */
static void write_out(Uci *uci, const Buf *out, bool complete)
{
    uci->write(uci->user,
               complete ? buf_view(out) : "info string error: no memory for the answer\n");
}

static void flush(Uci *uci, Buf *out, bool complete)
{
    write_out(uci, out, complete);
    buf_release(out);
}

void uci_complain(Uci *uci, const char *text)
{
    char line[sizeof(((Error *)0)->text) + 32];
    int len = snprintf(line, sizeof line, "info string error: %s", text);
    size_t used = len < (int)sizeof line - 1 ? (size_t)len : sizeof line - 2;
    for (size_t i = 0; i < used; i++)
        if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
            line[i] = '?';
    line[used] = '\n';
    line[used + 1] = '\0';
    uci->write(uci->user, line);
}

static bool put_score(Buf *out, const SearchInfo *info)
{
    static const char *const bounds[] = { "", " lowerbound", " upperbound" };
    int score = info->score;
    bool ok;
    if (score >= SCORE_MATE_BOUND)
        ok = buf_printf(out, " score mate %d", (SCORE_MATE - score + 1) / 2);
    else if (score <= -SCORE_MATE_BOUND)
        ok = buf_printf(out, " score mate %d", -(SCORE_MATE + score + 1) / 2);
    else
        ok = buf_printf(out, " score cp %d", score);
    return ok && buf_put_text(out, bounds[info->bound]);
}

static bool put_move(Buf *out, const Uci *uci, Move m)
{
    char text[UCI_MOVE_SIZE];
    uci_move_write(&uci->search_pos, m, uci->notation, text);
    return buf_printf(out, " %s", text);
}

static void on_info(void *user, const SearchInfo *info)
{
    Uci *uci = user;
    Buf *out = &uci->search_out;
    buf_reset(out);
    bool ok =
        buf_printf(out, "info depth %d seldepth %d multipv %d", info->depth, info->seldepth,
                   info->line) &&
        put_score(out, info) &&
        buf_printf(out,
                   " nodes %" PRIu64 " nps %" PRIu64 " hashfull %d tbhits %" PRIu64 " time %" PRId64
                   " pv",
                   info->nodes, info->nps, info->hashfull, info->tablebase_hits, info->time_ms);
    for (int i = 0; i < info->pv_length; i++)
        ok = ok && put_move(out, uci, info->pv[i]);
    ok = ok && buf_put_char(out, '\n');
    write_out(uci, out, ok);
}

static void on_root_move(void *user, const RootMoveInfo *info)
{
    Uci *uci = user;
    Buf *out = &uci->search_out;
    buf_reset(out);
    bool ok =
        buf_printf(out, "info depth %d currmove", info->depth) && put_move(out, uci, info->move) &&
        buf_printf(out, " currmovenumber %d nodes %" PRIu64 " nps %" PRIu64 " time %" PRId64 "\n",
                   info->number, info->nodes, info->nps, info->time_ms);
    write_out(uci, out, ok);
}

static void on_done(void *user, const SearchResult *result)
{
    Uci *uci = user;
    Buf *out = &uci->search_out;
    buf_reset(out);
    bool ok = true;
    if (result->human.probability > 0)
        ok = buf_put_text(out, "info string of 1000 such people") &&
             buf_printf(out, " %.0f play", (double)result->human.probability * 1000) &&
             put_move(out, uci, result->best) && buf_put_char(out, '\n');
    ok = ok && buf_put_text(out, "bestmove") && put_move(out, uci, result->best);
    if (result->ponder != MOVE_NONE)
        ok = ok && buf_put_text(out, " ponder") && put_move(out, uci, result->ponder);
    ok = ok && buf_put_char(out, '\n');
    /* Before the GUI can answer: its next command must not be refused. */
    atomic_store(&uci->searching, false);
    write_out(uci, out, ok);
}

static bool is_chess960(const Uci *uci)
{
    return uci->options.chess960 || uci->pos.rules.chess960;
}

static void do_uci(Uci *uci, Tokens tokens)
{
    (void)tokens;
    Buf out;
    buf_init(&out, OUTPUT_MAX);
    bool ok = buf_put_text(&out, "id name castled " CASTLED_VERSION "\n"
                                 "id author the castled authors\n"
                                 "info string " ENGINE_ORIGIN "\n") &&
              options_announce(&out) && buf_put_text(&out, "uciok\n");
    flush(uci, &out, ok);
}

static void do_isready(Uci *uci, Tokens tokens)
{
    (void)tokens;
    uci->write(uci->user, "readyok\n");
}

static void do_ucinewgame(Uci *uci, Tokens tokens)
{
    (void)tokens;
    uci->games++;
    engine_clear(uci->engine);
}

static void do_position(Uci *uci, Tokens tokens)
{
    Error err = { 0 };
    uci->is_position_refused = !command_read_position(
        tokens, uci->options.ruleset, uci->options.chess960, &uci->pos, &uci->history, &err);
    if (uci->is_position_refused)
        uci_complain(uci, err.text);
}

/* Opens what the path names and gives it to the engine; the old tables go only when it took them.
 */
static bool change_tablebase(Uci *uci, UciOptions *wanted, Error *err)
{
    Tablebase *tablebase = NULL;
    if (wanted->syzygy_path[0] && !tablebase_open(&tablebase, wanted->syzygy_path, err)) {
        error_prefix(err, "setoption SyzygyPath");
        return false;
    }
    wanted->engine.tablebase = tablebase;
    if (!engine_set_options(uci->engine, &wanted->engine, err)) {
        tablebase_free(tablebase);
        return false;
    }
    tablebase_free(uci->tablebase);
    uci->tablebase = tablebase;
    return true;
}

static void networks_use(EngineOptions *options, Network *const networks[RULESET_COUNT])
{
    options->network = networks[RULES_STANDARD];
    for (Ruleset r = RULES_STANDARD + 1; r < RULESET_COUNT; r++)
        options->variant_networks[r] = networks[r];
}

/* Loads what the path names and gives it to the engine, for the rules that it was trained by; no
 * path takes all away but what is built in. Old networks go only when the engine took the change.
 */
static bool change_network(Uci *uci, UciOptions *wanted, Error *err)
{
    Network *network = NULL, *networks[RULESET_COUNT] = { NULL };
    if (wanted->eval_file[0]) {
        if (!network_load(&network, wanted->eval_file, err)) {
            error_prefix(err, "setoption EvalFile");
            return false;
        }
        memcpy(networks, uci->networks, sizeof networks);
        networks[network->info.ruleset] = network;
    } else {
        networks[RULES_STANDARD] = network = network_embedded_copy();
    }
    networks_use(&wanted->engine, networks);
    if (!engine_set_options(uci->engine, &wanted->engine, err)) {
        network_free(network);
        return false;
    }
    for (Ruleset r = RULES_STANDARD; r < RULESET_COUNT; r++) {
        if (uci->networks[r] != networks[r])
            network_free(uci->networks[r]);
        uci->networks[r] = networks[r];
    }
    return true;
}

/* From a folder the one for the rating. */
static bool load_human(PolicyNetwork **out, const UciOptions *wanted, Error *err)
{
    PolicyFolder folder;
    if (!policy_folder_is(wanted->human_file))
        return policy_load(out, wanted->human_file, err);
    if (!policy_folder_read(&folder, wanted->human_file, err))
        return false;
    int nearest = policy_folder_nearest(&folder, wanted->limit_strength ? wanted->elo : 0);
    return policy_load(out, folder.files[nearest].path, err);
}

/* The same for the policy network. */
static bool change_human(Uci *uci, UciOptions *wanted, Error *err)
{
    PolicyNetwork *human = NULL;
    if (wanted->human_file[0] && !load_human(&human, wanted, err)) {
        error_prefix(err, "setoption HumanFile");
        return false;
    }
    wanted->engine.human = human;
    if (!engine_set_options(uci->engine, &wanted->engine, err)) {
        policy_free(human);
        return false;
    }
    policy_free(uci->human);
    uci->human = human;
    return true;
}

/* The position of the other rules must not be searched by these: theirs begins anew. */
static bool change_variant(Uci *uci, const UciOptions *wanted, Error *err)
{
    const char *fen = variant_rules_table[wanted->ruleset].start_fen;
    if (wanted->ruleset == uci->options.ruleset)
        return true;
    uci->is_position_refused = false;
    if (!fen_read_as(&uci->pos, wanted->ruleset, fen, FEN_STRICT, NULL, err))
        return false;
    human_history_init(&uci->history, &uci->pos, SQUARE_NONE);
    return true;
}

static void do_setoption(Uci *uci, Tokens tokens)
{
    Error err = { 0 };
    UciOptions wanted = uci->options;
    wanted.engine.params = &wanted.params;
    OptionEffect effect;
    bool ok = options_set(&wanted, tokens, &effect, &err);
    if (ok && effect == OPTION_ENGINE)
        ok = engine_set_options(uci->engine, &wanted.engine, &err);
    else if (ok && effect == OPTION_TABLEBASE)
        ok = change_tablebase(uci, &wanted, &err);
    else if (ok && effect == OPTION_NETWORK)
        ok = change_network(uci, &wanted, &err);
    else if (ok && (effect == OPTION_HUMAN ||
                    (effect == OPTION_RATING && policy_folder_is(wanted.human_file))))
        ok = change_human(uci, &wanted, &err);
    else if (ok && effect == OPTION_VARIANT)
        ok = change_variant(uci, &wanted, &err);
    else if (ok && effect == OPTION_CLEAR)
        engine_clear(uci->engine);
    if (ok) {
        uci->options = wanted;
        uci->options.engine.params = &uci->options.params;
    } else {
        uci_complain(uci, err.text);
    }
}

static void start_search(Uci *uci, const SearchLimits *limits)
{
    const SearchCallbacks callbacks = {
        .on_info = on_info, .on_root_move = on_root_move, .on_done = on_done, .user = uci
    };
    uci->search_pos = uci->pos;
    uci->notation = is_chess960(uci) ? CASTLING_KING_TAKES_ROOK : CASTLING_KING_TO_TARGET;
    uci->stopping = false;
    atomic_store(&uci->searching, true);
    engine_set_position(uci->engine, &uci->pos);
    engine_set_history(uci->engine, &uci->history);
    engine_go(uci->engine, limits, &callbacks);
}

static void run_perft(Uci *uci, int depth)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    if (!out) {
        uci_complain(uci, "no memory for the answer");
        return;
    }
    Position pos = uci->pos;
    pos.rules.chess960 = is_chess960(uci);
    perft_divide(&pos, depth, out);
    if (fclose(out) == 0)
        uci->write(uci->user, text);
    else
        uci_complain(uci, "no memory for the answer");
    free(text);
}

static void do_go(Uci *uci, Tokens tokens)
{
    Error err = { 0 };
    GoCommand go;
    if (uci->is_position_refused) {
        uci_complain(uci, "go: the position was refused");
        uci->write(uci->user, "bestmove 0000\n");
        return;
    }
    if (!command_read_go(tokens, &uci->pos, &go, &err))
        uci_complain(uci, err.text);
    if (go.perft_depth) {
        run_perft(uci, go.perft_depth);
    } else {
        go.limits.elo = uci->options.limit_strength ? uci->options.elo : 0;
        go.limits.human = uci->options.style == STYLE_HUMAN;
        go.limits.human_likeliest = uci->options.human_choice == CHOICE_LIKELIEST;
        go.limits.seed = uci->games;
        go.limits.contempt_cp = uci->options.contempt;
        go.limits.variety_cp = uci->pos.fullmove_number <= VARIED_MOVES ? uci->options.variety : 0;
        go.limits.ponders = uci->options.ponder;
        start_search(uci, &go.limits);
    }
}

static void do_stop(Uci *uci, Tokens tokens)
{
    (void)tokens;
    uci->stopping = true;
    engine_stop(uci->engine);
}

static void do_ponderhit(Uci *uci, Tokens tokens)
{
    (void)tokens;
    engine_ponderhit(uci->engine);
}

static void do_show(Uci *uci, Tokens tokens)
{
    (void)tokens;
    Buf out;
    buf_init(&out, OUTPUT_MAX);
    bool ok = true;
    for (int rank = RANK_8; rank >= RANK_1; rank--) {
        ok = ok && buf_printf(&out, "%d ", rank + 1);
        for (int file = FILE_A; file <= FILE_H; file++)
            ok = ok &&
                 buf_printf(&out, " %c", piece_letter(uci->pos.board[square_make(file, rank)]));
        ok = ok && buf_put_char(&out, '\n');
    }
    char fen[FEN_SIZE];
    fen_write(&uci->pos, fen);
    ok = ok && buf_printf(&out, "   a b c d e f g h\n\nFEN %s\nKey %016" PRIx64 "\nOutcome %s\n",
                          fen, uci->pos.key, outcome_text(position_outcome(&uci->pos)));
    flush(uci, &out, ok);
}

static void do_eval(Uci *uci, Tokens tokens)
{
    (void)tokens;
    Buf out;
    buf_init(&out, OUTPUT_MAX);
    bool ok = position_in_check(&uci->pos)
                  ? buf_put_text(&out, "info string in check: no static evaluation\n")
                  : buf_printf(&out, "info string static evaluation %d cp for the side to move\n",
                               engine_evaluate(uci->engine, &uci->pos));
    flush(uci, &out, ok);
}

/* Every command; "quit" has no function. */
static const struct {
    const char *word;
    void (*run)(Uci *uci, Tokens tokens);
    bool needs_rest; /* not while a search runs */
} commands[] = {
    { "uci", do_uci, false },
    { "isready", do_isready, false },
    { "ucinewgame", do_ucinewgame, true },
    { "position", do_position, true },
    { "setoption", do_setoption, true },
    { "go", do_go, true },
    { "stop", do_stop, false },
    { "ponderhit", do_ponderhit, false },
    { "quit", NULL, false },
    { "d", do_show, false },
    { "eval", do_eval, true },
};

bool uci_new(Uci **out, UciWrite write, void *user, Error *err)
{
    Uci *uci = calloc(1, sizeof *uci);
    if (!uci) {
        error_set(err, ERR_MEMORY, "no memory for a session");
        return false;
    }
    uci->write = write;
    uci->user = user;
    buf_init(&uci->search_out, OUTPUT_MAX);
    uci->options = (UciOptions)UCI_OPTIONS_DEFAULT;
    uci->networks[RULES_STANDARD] = network_embedded_copy();
    networks_use(&uci->options.engine, uci->networks);
    if (!engine_new(&uci->engine, &uci->options.engine, err) ||
        !fen_read(&uci->pos, FEN_START, FEN_STRICT, NULL, err)) {
        uci_free(uci);
        return false;
    }
    human_history_init(&uci->history, &uci->pos, SQUARE_NONE);
    *out = uci;
    return true;
}

void uci_free(Uci *uci)
{
    if (!uci)
        return;
    engine_free(uci->engine);
    tablebase_free(uci->tablebase);
    for (Ruleset r = RULES_STANDARD; r < RULESET_COUNT; r++)
        network_free(uci->networks[r]);
    policy_free(uci->human);
    buf_release(&uci->search_out);
    free(uci);
}

/* Is a search running that was not stopped? A stopped one ends within milliseconds, so that is
 * waited for. */
static bool is_busy(Uci *uci)
{
    if (atomic_load(&uci->searching) && !uci->stopping)
        return true;
    engine_wait(uci->engine);
    return false;
}

bool uci_handle(Uci *uci, const char *line, size_t len)
{
    Tokens tokens = tokens_of(line, len);
    Token word = tokens_next(&tokens);
    if (!word.len)
        return true;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (!token_is(word, commands[i].word))
            continue;
        if (!commands[i].run)
            return false;
        if (commands[i].needs_rest && is_busy(uci)) {
            Error err = { 0 };
            error_set(&err, ERR_NOT_NOW, "%s: a search is running, stop it first",
                      commands[i].word);
            uci_complain(uci, err.text);
        } else {
            commands[i].run(uci, tokens);
        }
        return true;
    }
    Error err = { 0 };
    error_set(&err, ERR_INVALID, "unknown command \"%.*s\"", token_shown(word), word.text);
    uci_complain(uci, err.text);
    return true;
}
