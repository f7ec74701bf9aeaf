/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/random.h"
#include "engine/core/position.h"

#include "engine/core/movegen.h"
#include "tests/support/games.h"
#include "tests/support/chess.h"

#ifdef NDEBUG
enum { GAMES = 200 };
#else
enum { GAMES = 10 };
#endif

static void must_be_valid(const Position *pos)
{
    Error err = { 0 };
    if (!position_validate(pos, &err)) {
        char fen[FEN_SIZE];
        fen_write(pos, fen);
        fail_msg("%s: %s", fen, err.text);
    }
}

static void check_moves(Position *pos, void *user)
{
    (void)user;
    Position before;
    memcpy(&before, pos, sizeof before);
    must_be_valid(pos);
    MoveList list;
    movegen_legal(pos, &list);
    bool can_take_en_passant = false;
    for (int i = 0; i < list.count; i++) {
        Move m = list.moves[i];
        Undo undo;
        can_take_en_passant |= move_is_en_passant(m);
        bool gives_check = position_gives_check(pos, m);
        position_make(pos, m, &undo);
        must_be_valid(pos);
        assert_int_equal(gives_check, position_in_check(pos));
        position_unmake(pos, m, &undo);
        assert_memory_equal(pos, &before, sizeof before);
    }
    assert_int_equal(position_can_take_en_passant(pos), can_take_en_passant);
    if (!position_in_check(pos)) {
        Undo undo;
        position_make_null(pos, &undo);
        must_be_valid(pos);
        position_unmake_null(pos, &undo);
        assert_memory_equal(pos, &before, sizeof before);
    }
    char fen[FEN_SIZE], again[FEN_SIZE];
    Position read;
    fen_write(pos, fen);
    read = position_of(fen);
    fen_write(&read, again);
    assert_string_equal(fen, again);
    assert_true(read.key == pos->key && read.pawn_key == pos->pawn_key);
}

TEST(make_then_unmake_restores_every_byte)
{
    game_set_play(11, GAMES, check_moves, NULL);
}

TEST(unmaking_a_whole_game_restores_its_start)
{
    static Undo undos[1000];
    static Move moves[1000];
    uint64_t random = 5;
    Position pos, start;
    games_start(&pos, 0);
    start = pos;
    int plies = 0;
    while (plies < 1000) { /* longer than the ring of keys */
        MoveList list;
        movegen_quiet(&pos, movegen_threats(&pos), &list);
        if (list.count == 0)
            movegen_legal(&pos, &list);
        if (list.count == 0)
            break;
        moves[plies] = list.moves[random_below(&random, (uint64_t)list.count)];
        position_make(&pos, moves[plies], &undos[plies]);
        plies++;
    }
    assert_true(plies > POSITION_KEY_RING);
    while (plies-- > 0)
        position_unmake(&pos, moves[plies], &undos[plies]);
    assert_memory_equal(&pos, &start, sizeof pos);
}

TEST(validate_says_what_is_wrong)
{
    static const struct {
        const char *error;
        size_t offset;
        unsigned char value;
    } rows[] = {
        { "mailbox and sets disagree on square 12", offsetof(Position, board[12]), PIECE_NONE },
        { "mailbox and sets disagree on square 30", offsetof(Position, board[30]), 255 },
        { "two kinds of pieces of colour 0 share a square",
          offsetof(Position, pieces[WHITE][KNIGHT]), 0x43 },
        { "squares of colour 1 do not add up", offsetof(Position, occupied_by[BLACK]), 1 },
        { "colour 1 has not one king", 0, 0 },
        { "occupied squares are not those of both colours", offsetof(Position, occupied) + 3, 1 },
        { "nothing to take en passant on square 44", offsetof(Position, en_passant), 44 },
        { "a key is out of date", offsetof(Position, key), 1 },
        { "a key is out of date", offsetof(Position, pawn_key), 1 },
        { "checks or pins are out of date", offsetof(Position, checkers), 1 },
        { "checks or pins are out of date", offsetof(Position, pinned), 1 },
        { "no side to move", offsetof(Position, side_to_move), 2 },
        { "a counter is out of range", offsetof(Position, plies_since_null), 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos;
        Error err = { 0 };
        pos = position_of(FEN_START);
        if (rows[i].offset > 0) {
            memcpy((char *)&pos + rows[i].offset, &rows[i].value, 1);
        } else {
            pos.occupied_by[BLACK] ^= pos.pieces[BLACK][KING];
            pos.pieces[BLACK][KING] = 0;
        }
        assert_false(position_validate(&pos, &err));
        assert_string_equal(err.text, rows[i].error);
    }
    Position pos;
    Error err = { 0 };
    pos = position_of(FEN_START);
    pos.rules.rook_from[2] = A1;
    assert_false(position_validate(&pos, &err));
    assert_string_equal(err.text, "castling right 2 has no king and rook");

    err = (Error){ 0 };
    pos = position_of("4k3/8/8/8/8/8/8/4R1K1 b - - 0 1");
    pos.side_to_move = WHITE;
    position_derive(&pos);
    assert_false(position_validate(&pos, &err));
    assert_string_equal(err.text, "the side that just moved is in check");

    err = (Error){ 0 };
    pos = position_of("4k3/8/8/8/8/8/8/6K1 w - - 0 1");
    pos.board[A1] = piece_make(WHITE, PAWN);
    position_derive(&pos);
    assert_false(position_validate(&pos, &err));
    assert_string_equal(err.text, "a pawn stands on the first or last rank");
}
