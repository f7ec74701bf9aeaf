/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stockfish_teacher.cpp - Stockfish's static evaluation as a teacher. scripts/teacher compiles this
 * within the sources of a Stockfish, of 2026 or 15.1; nothing of them is in this repository. What
 * depends on its search, and the fifty-move counter, count nothing. */
#include "evaluate.h"
#include "position.h"

#if __has_include("nnue/network.h")
    #define IS_OF_2026 1
    #include "attacks.h"
    #include "memory.h"
    #include "nnue/network.h"
    #include "nnue/nnue_accumulator.h"
#else
    #define IS_OF_2026 0
    #include "bitboard.h"
    #include "psqt.h"
    #include <fstream>
#endif

#include "teacher_library.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

using namespace Stockfish;

#if IS_OF_2026

/* Its unit where the material is that of an early middle game: its own centipawn is another one at
 * each material, which a network would have to learn. */
static constexpr int pawn = 385;

struct TeacherLibrary {
    LargePagePtr<Eval::NNUE::Network> network;
    std::unique_ptr<Eval::NNUE::AccumulatorStack> accumulators;
    std::unique_ptr<Eval::NNUE::AccumulatorCaches> caches;

    static void prepare()
    {
        Attacks::init();
        Position::init();
    }

    bool open(const char *path)
    {
        Eval::NNUE::EvalFile file{};
        network = make_unique_large_page<Eval::NNUE::Network>();
        network->load_external("", path, file);
        if (file.current != path)
            return false;
        accumulators = std::make_unique<Eval::NNUE::AccumulatorStack>();
        caches = std::make_unique<Eval::NNUE::AccumulatorCaches>(*network);
        return true;
    }

    int evaluate(const char *fen)
    {
        StateInfo state;
        Position position;
        position.set(fen, false, &state);
        accumulators->reset();
        return Eval::evaluate(*network, position, *accumulators, *caches, 0);
    }
};

#else

/* What its centipawns are made with. */
static constexpr int pawn = 361;

/* Its network is a global variable: all teachers of a process have the one that was opened last. */
struct TeacherLibrary {
    static void prepare()
    {
        PSQT::init();
        Bitboards::init();
        Position::init();
    }

    bool open(const char *path)
    {
        std::ifstream stream(path, std::ios::binary);
        return Eval::NNUE::load_eval(path, stream);
    }

    /* As its evaluate(), but always by the network. */
    int evaluate(const char *fen)
    {
        StateInfo state;
        Position position;
        position.set(fen, false, &state, nullptr);
        int value = Eval::NNUE::evaluate(position, true), full = 1024;
        return value * (1064 + 106 * position.non_pawn_material() / 5120) / full;
    }
};

#endif

TeacherLibrary *teacher_library_new(const char *path, char *error, size_t size)
{
    static std::once_flag is_ready;
    std::call_once(is_ready, TeacherLibrary::prepare);
    auto teacher = std::make_unique<TeacherLibrary>();
    if (teacher->open(path))
        return teacher.release();
    std::snprintf(error, size, "%s: no network of this Stockfish", path);
    return nullptr;
}

void teacher_library_free(TeacherLibrary *teacher)
{
    delete teacher;
}

int teacher_library_evaluate(TeacherLibrary *teacher, const char *fen)
{
    constexpr int limit = 30000;
    return std::clamp(teacher->evaluate(fen) * 100 / pawn, -limit, limit);
}
