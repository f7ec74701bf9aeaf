/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stockfish_teacher.cpp - Stockfish's static evaluation as a teacher. scripts/teacher compiles this
 * within the sources of a Stockfish of 2026; nothing of them is in this repository. */
#include "evaluate.h"
#include "attacks.h"
#include "memory.h"
#include "nnue/network.h"
#include "nnue/nnue_accumulator.h"
#include "position.h"

#include "teacher_library.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

using namespace Stockfish;

struct TeacherLibrary {
    LargePagePtr<Eval::NNUE::Network> network;
    std::unique_ptr<Eval::NNUE::AccumulatorStack> accumulators;
    std::unique_ptr<Eval::NNUE::AccumulatorCaches> caches;
};

TeacherLibrary *teacher_library_new(const char *path, char *error, size_t size)
{
    static std::once_flag is_ready;
    std::call_once(is_ready, [] {
        Attacks::init();
        Position::init();
    });
    auto teacher = std::make_unique<TeacherLibrary>();
    Eval::NNUE::EvalFile file{};
    teacher->network = make_unique_large_page<Eval::NNUE::Network>();
    teacher->network->load_external("", path, file);
    if (file.current != path) {
        std::snprintf(error, size, "%s: no network of this Stockfish", path);
        return nullptr;
    }
    teacher->accumulators = std::make_unique<Eval::NNUE::AccumulatorStack>();
    teacher->caches = std::make_unique<Eval::NNUE::AccumulatorCaches>(*teacher->network);
    return teacher.release();
}

void teacher_library_free(TeacherLibrary *teacher)
{
    delete teacher;
}

int teacher_library_evaluate(TeacherLibrary *teacher, const char *fen)
{
    /* Stockfish's unit where the material is that of an early middle game: its own centipawn is
     * another one at each material, which a network would have to learn. */
    constexpr int pawn = 385, limit = 30000;
    StateInfo state;
    Position position;
    position.set(fen, false, &state);
    teacher->accumulators->reset();
    Value value =
        Eval::evaluate(*teacher->network, position, *teacher->accumulators, *teacher->caches, 0);
    return std::clamp(value * 100 / pawn, -limit, limit);
}
