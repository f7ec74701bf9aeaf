/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/change.h"

#include "engine/core/fen.h"
#include "engine/core/movegen.h"
#include "engine/core/piece_keys.h"
#include "tests/support/games.h"
#include "tests/support/unit.h"

#ifdef NDEBUG
enum { GAMES = 200 };
#else
enum { GAMES = 20 };
#endif

/* How often each kind of move came up. */
typedef struct {
    int castlings, en_passants, promotions, capture_promotions;
} Seen;

static void note(Seen *seen, Move m)
{
    seen->castlings += move_is_castling(m);
    seen->en_passants += move_is_en_passant(m);
    seen->promotions += move_is_promotion(m) && !move_is_capture(m);
    seen->capture_promotions += move_is_promotion(m) && move_is_capture(m);
}

static void apply(Piece board[SQUARE_COUNT], const Change *change)
{
    for (int i = 0; i < change->removed_count; i++) {
        assert_int_equal(board[change->removed[i].square], change->removed[i].piece);
        board[change->removed[i].square] = PIECE_NONE;
    }
    for (int i = 0; i < change->added_count; i++) {
        assert_int_equal(board[change->added[i].square], PIECE_NONE);
        board[change->added[i].square] = change->added[i].piece;
    }
}

static void check_moves(Position *pos, void *user)
{
    MoveList list;
    movegen_legal(pos, &list);
    const PieceKeys keys = piece_keys_of(pos);
    for (int i = 0; i < list.count; i++) {
        Move m = list.moves[i];
        note(user, m);
        Piece board[SQUARE_COUNT];
        memcpy(board, pos->board, sizeof board);
        const Change change = change_of(pos, m);
        uint64_t hint = change_key_hint(pos, m);
        const PieceKeys keys_after = piece_keys_after(&keys, &change);
        CastlingRights castling = pos->castling;
        bool is_plain =
            pos->en_passant == SQUARE_NONE && !move_is_castling(m) && !move_is_promotion(m);
        Undo undo;
        apply(board, &change);
        position_make(pos, m, &undo);
        assert_memory_equal(board, pos->board, sizeof board);
        is_plain = is_plain && pos->castling == castling && pos->en_passant == SQUARE_NONE;
        assert_true(!is_plain || hint == pos->key);
        const PieceKeys fresh = piece_keys_of(pos);
        assert_memory_equal(&keys_after, &fresh, sizeof fresh);
        position_unmake(pos, m, &undo);
    }
}

TEST(change_turns_each_board_into_the_next)
{
    Seen seen = { 0 };
    game_set_play(5, GAMES, check_moves, &seen);
    assert_true(seen.castlings && seen.en_passants && seen.promotions && seen.capture_promotions);
}

typedef struct {
    const char *name, *fen;
    Square from, to;
    unsigned flag;
    Change change;
} Row;

TEST(each_kind_of_move_is_a_change)
{
    enum { WP = 0, WR = 3, WQ = 4, WK = 5, BP = 8, BR = 11 };
    static const Row rows[] = {
        { "quiet",
          "4k3/8/8/8/8/8/8/R3K3 w - -",
          0,
          3,
          MOVE_QUIET,
          { 1, 1, { { WR, 0 } }, { { WR, 3 } } } },
        { "capture",
          "4k3/8/8/8/8/8/8/R2rK3 w - -",
          0,
          3,
          MOVE_CAPTURE,
          { 2, 1, { { WR, 0 }, { BR, 3 } }, { { WR, 3 } } } },
        { "en passant by White",
          "4k3/8/8/3Pp3/8/8/8/4K3 w - e6",
          35,
          44,
          MOVE_EN_PASSANT,
          { 2, 1, { { WP, 35 }, { BP, 36 } }, { { WP, 44 } } } },
        { "en passant by Black",
          "4k3/8/8/8/3Pp3/8/8/4K3 b - d3",
          28,
          19,
          MOVE_EN_PASSANT,
          { 2, 1, { { BP, 28 }, { WP, 27 } }, { { BP, 19 } } } },
        { "promotion",
          "4k3/P7/8/8/8/8/8/4K3 w - -",
          48,
          56,
          MOVE_PROMOTION + 3,
          { 1, 1, { { WP, 48 } }, { { WQ, 56 } } } },
        { "capture and promotion",
          "1r2k3/P7/8/8/8/8/8/4K3 w - -",
          48,
          57,
          MOVE_CAPTURE_PROMOTION + 3,
          { 2, 1, { { WP, 48 }, { BR, 57 } }, { { WQ, 57 } } } },
        { "castling",
          "4k3/8/8/8/8/8/8/R3K3 w Q -",
          4,
          2,
          MOVE_CASTLING,
          { 2, 2, { { WK, 4 }, { WR, 0 } }, { { WK, 2 }, { WR, 3 } } } },
        { "castling where the king stays",
          "4k3/8/8/8/8/8/8/6KR w K -",
          6,
          6,
          MOVE_CASTLING,
          { 2, 2, { { WK, 6 }, { WR, 7 } }, { { WK, 6 }, { WR, 5 } } } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *row = &rows[i];
        Position pos;
        Error err = { 0 };
        if (!fen_read(&pos, row->fen, FEN_LENIENT, NULL, &err))
            fail_msg("%s: %s", row->name, err.text);
        const Change change = change_of(&pos, move_make(row->from, row->to, row->flag));
        if (memcmp(&change, &row->change, sizeof change) != 0)
            fail_msg("%s", row->name);
    }
}
