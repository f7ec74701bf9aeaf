/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/picker.h"

#include "engine/core/attacks.h"
#include "engine/core/variant_rules.h"
#include "engine/search/search_rules.h"
#include "engine/search/see.h"

#include <stddef.h>
#include <string.h>

enum {
    STAGE_TT_MOVE,
    STAGE_GENERATE_NOISY,
    STAGE_GOOD_NOISY,
    STAGE_KILLERS,
    STAGE_GENERATE_QUIETS,
    STAGE_QUIETS,
    STAGE_BAD_CAPTURES,
    STAGE_END,
};

/* Beyond all sums of histories. */
enum { QUIET_SCORE_MAX = 1 << 24 };

static void start(Picker *picker, const Position *pos, HistoryView *view, Move tt_move)
{
    picker->pos = pos;
    picker->view = view;
    bool usable = tt_move != MOVE_NONE && position_allows(pos, tt_move);
    picker->tt_move = usable ? tt_move : MOVE_NONE;
    picker->stage = usable ? STAGE_TT_MOVE : STAGE_GENERATE_NOISY;
    picker->next = picker->count = picker->bad_count = picker->bad_next = 0;
    picker->killers_taken[0] = picker->killers_taken[1] = MOVE_NONE;
    picker->killer_next = 0;
    picker->quiet_score = QUIET_SCORE_MAX;
}

void picker_init(Picker *picker, const Position *pos, HistoryView *view, Move tt_move,
                 const Move killers[2])
{
    start(picker, pos, view, tt_move);
    picker->killers = killers;
    picker->quiets_wanted = true;
    picker->see_threshold = 0;
}

void picker_init_noisy(Picker *picker, const Position *pos, HistoryView *view, Move tt_move,
                       int see_threshold)
{
    start(picker, pos, view, move_is_quiet(tt_move) ? MOVE_NONE : tt_move);
    picker->killers = NULL;
    picker->quiets_wanted = false;
    picker->see_threshold = see_threshold;
}

static int noisy_score(const Picker *picker, Move m)
{
    const Position *pos = picker->pos;
    int scale = params_in_use(picker->view->params)->victim_scale;
    int score = history_noisy(picker->view, pos, m);
    if (move_is_en_passant(m))
        score += scale * see_value[PAWN];
    else if (move_is_capture(m))
        score += scale * see_value[piece_type(pos->board[move_to(m)])];
    if (move_is_promotion(m))
        score += scale * (move_promotion(m) == QUEEN ? see_value[QUEEN] : -see_value[QUEEN]);
    return score;
}

static int explosion_score(const Picker *picker, Move m)
{
    int scale = params_in_use(picker->view->params)->victim_scale;
    int value = move_is_capture(m) ? see_explosion(picker->pos, m) : see_value[PAWN];
    return history_noisy(picker->view, picker->pos, m) + scale * value;
}

/* The squares from which each of our piece types would check; discovered checks are not worth the
 * work. */
static void find_checks(Picker *picker)
{
    const Position *pos = picker->pos;
    Colour them = pos->side_to_move ^ 1;
    memset(picker->checks, 0, sizeof picker->checks);
    if (!variant_rules(pos)->is_royal[them])
        return;
    Square king = position_king(pos, them);
    picker->checks[PAWN] = attacks_pawn(them, king);
    for (PieceType type = KNIGHT; type <= QUEEN; type++)
        picker->checks[type] = attacks_of(type, king, pos->occupied);
}

/* The squares that lesser enemies attack. Where captures do not take turns on a square, that is no
 * threat. */
static void find_unsafe(Picker *picker)
{
    const Position *pos = picker->pos;
    Colour them = pos->side_to_move ^ 1;
    memset(picker->unsafe, 0, sizeof picker->unsafe);
    if (search_rules_table[pos->ruleset].exchanges != EXCHANGES_ON_SQUARE)
        return;
    Bitboard pieces =
        pos->occupied_by[!them] & ~(pos->pieces[!them][PAWN] | pos->pieces[!them][KING]);
    if (!(picker->view->threats & pieces))
        return; /* most often: nothing to save */
    Bitboard attacked = attacks_of_pawns(them, pos->pieces[them][PAWN]);
    picker->unsafe[KNIGHT] = picker->unsafe[BISHOP] = attacked;
    for (PieceType type = KNIGHT; type <= ROOK; type++) {
        for (Bitboard set = pos->pieces[them][type]; set;)
            attacked |= attacks_of(type, bitboard_pop(&set), pos->occupied);
        if (type == BISHOP)
            picker->unsafe[ROOK] = attacked;
    }
    picker->unsafe[QUEEN] = attacked;
}

static int escape_bonus(const Params *p, PieceType type)
{
    return type == QUEEN ? p->escape_queen : type == ROOK ? p->escape_rook : p->escape_minor;
}

static int quiet_score(const Picker *picker, Move m)
{
    const Position *pos = picker->pos;
    int score = history_quiet(picker->view, pos, m);
    const Params *p = params_in_use(picker->view->params);
    PieceType type = piece_type(position_moved_piece(pos, m));
    if (bitboard_has(picker->checks[type], move_to(m)) && see_at_least(pos, m, -p->check_loss))
        score += p->check_bonus;
    if (!move_is_drop(m) && bitboard_has(picker->unsafe[type], move_from(m)) &&
        !bitboard_has(picker->unsafe[type], move_to(m)))
        score += escape_bonus(p, type);
    return score;
}

/* Appends generated moves, with their scores, behind the bad captures. */
static void append_scored(Picker *picker, const MoveList *list, int (*score)(const Picker *, Move))
{
    picker->next = picker->count = picker->bad_count;
    for (int i = 0; i < list->count; i++) {
        Move m = list->moves[i];
        if (m == picker->tt_move || m == picker->killers_taken[0] || m == picker->killers_taken[1])
            continue;
        picker->entries[picker->count].move = m;
        picker->entries[picker->count].score = score(picker, m);
        picker->count++;
    }
}

/* Takes the best of what is left: most nodes need few of the moves, so sorting all is waste. */
static ScoredMove take_best(Picker *picker)
{
    int best = picker->next;
    for (int i = best + 1; i < picker->count; i++)
        if (picker->entries[i].score > picker->entries[best].score)
            best = i;
    const ScoredMove taken = picker->entries[best];
    picker->entries[best] = picker->entries[picker->next];
    picker->next++;
    return taken;
}

/* The best noisy move that passes SEE; those that fail become bad captures. Where quiet moves
 * follow, a move may lose the more, the better its score is. */
static Move take_good_noisy(Picker *picker)
{
    int scale = picker->killers ? params_in_use(picker->view->params)->good_capture_scale : 0;
    while (picker->next < picker->count) {
        const ScoredMove best = take_best(picker);
        if (see_at_least(picker->pos, best.move, picker->see_threshold - best.score * scale / 1024))
            return best.move;
        picker->entries[picker->bad_count++] = best;
    }
    return MOVE_NONE;
}

/* The next killer that is legal here and was not handed out before: without generating moves. */
static Move take_killer(Picker *picker)
{
    while (picker->killer_next < 2) {
        Move m = picker->killers[picker->killer_next];
        Move *taken = &picker->killers_taken[picker->killer_next++];
        if (m == MOVE_NONE || m == picker->tt_move || m == picker->killers_taken[0] ||
            !move_is_quiet(m) || !position_allows(picker->pos, m))
            continue;
        *taken = m;
        return m;
    }
    return MOVE_NONE;
}

Move picker_next(Picker *picker)
{
    MoveList list;
    Move m;
    switch (picker->stage) {
    case STAGE_TT_MOVE:
        picker->stage = STAGE_GENERATE_NOISY;
        return picker->tt_move;
    case STAGE_GENERATE_NOISY:
        movegen_noisy(picker->pos, &list);
        append_scored(picker, &list,
                      variant_rules(picker->pos)->captures_explode ? explosion_score : noisy_score);
        picker->stage = STAGE_GOOD_NOISY;
        /* fall through */
    case STAGE_GOOD_NOISY:
        m = take_good_noisy(picker);
        if (m != MOVE_NONE)
            return m;
        if (!picker->killers) {
            picker->stage = STAGE_END;
            return MOVE_NONE;
        }
        picker->stage = STAGE_KILLERS;
        /* fall through */
    case STAGE_KILLERS:
        if (picker->quiets_wanted && params_in_use(picker->view->params)->killer_stage) {
            m = take_killer(picker);
            if (m != MOVE_NONE)
                return m;
        }
        picker->stage = STAGE_GENERATE_QUIETS;
        /* fall through */
    case STAGE_GENERATE_QUIETS:
        if (picker->quiets_wanted) {
            history_find_threats(picker->view, picker->pos);
            movegen_quiet(picker->pos, picker->view->threats, &list);
            find_checks(picker);
            find_unsafe(picker);
            append_scored(picker, &list, quiet_score);
        }
        picker->stage = STAGE_QUIETS;
        /* fall through */
    case STAGE_QUIETS:
        if (picker->quiets_wanted && picker->next < picker->count) {
            const ScoredMove best = take_best(picker);
            picker->quiet_score = best.score;
            return best.move;
        }
        picker->stage = STAGE_BAD_CAPTURES;
        /* fall through */
    case STAGE_BAD_CAPTURES:
        if (picker->bad_next < picker->bad_count)
            return picker->entries[picker->bad_next++].move;
        picker->stage = STAGE_END;
        /* fall through */
    default:
        return MOVE_NONE;
    }
}
