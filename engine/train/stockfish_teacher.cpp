/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stockfish_teacher.cpp - Stockfish's static evaluation as a teacher. scripts/teacher compiles this
 * within the sources of a Stockfish, of 2026, 17.1 or 15.1; nothing of them is in this repository.
 * What depends on its search, and the fifty-move counter, count nothing. */
#include "evaluate.h"
#include "position.h"

#if __has_include("attacks.h")
    #define IS_OF_2026 1
    #include "attacks.h"
#elif __has_include("nnue/network.h")
    #define IS_17_1 1
    #include "bitboard.h"
#else
    #include "bitboard.h"
    #include "psqt.h"
#endif
#if __has_include("nnue/network.h")
    #include "memory.h"
    #include "nnue/network.h"
    #include "nnue/nnue_accumulator.h"
#endif

#include "teacher_library.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>

using namespace Stockfish;

#if defined(IS_OF_2026)

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

#elif defined(IS_17_1)

/* As above. */
static constexpr int pawn = 377;

struct TeacherLibrary {
    std::unique_ptr<Eval::NNUE::Networks> networks;
    std::unique_ptr<Eval::NNUE::AccumulatorStack> accumulators;
    std::unique_ptr<Eval::NNUE::AccumulatorCaches> caches;

    static void prepare()
    {
        Bitboards::init();
        Position::init();
    }

    /* The large network; the small one lies beside it under its own name. What is no network ends
     * the process, with Stockfish's message. */
    bool open(const char *path)
    {
        using namespace Eval::NNUE;
        const std::string name = path;
        const std::string other = name.substr(0, name.rfind('/') + 1) + EvalFileDefaultNameSmall;
        if (!std::ifstream(name) || !std::ifstream(other))
            return false;
        networks = std::make_unique<Networks>(
            NetworkBig({ EvalFileDefaultNameBig, "None", "" }, EmbeddedNNUEType::BIG),
            NetworkSmall({ EvalFileDefaultNameSmall, "None", "" }, EmbeddedNNUEType::SMALL));
        networks->big.load("", name);
        networks->big.verify(name, say);
        networks->small.load("", other);
        networks->small.verify(other, say);
        accumulators = std::make_unique<AccumulatorStack>();
        caches = std::make_unique<AccumulatorCaches>(*networks);
        return true;
    }

    static void say(std::string_view text)
    {
        std::fprintf(stderr, "%.*s\n", int(text.size()), text.data());
    }

    /* As its evaluate(), but always by the large network. */
    int evaluate(const char *fen)
    {
        StateInfo state;
        Position position;
        position.set(fen, false, &state);
        accumulators->reset(position, *networks, *caches);
        const auto [psqt, positional] =
            networks->big.evaluate(position, *accumulators, &caches->big);
        std::int64_t value = (125 * psqt + 131 * positional) / 128;
        value -= value * std::abs(psqt - positional) / 18000;
        const int material = 535 * position.count<PAWN>() + position.non_pawn_material();
        return int(value * (77777 + material) / 77777);
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
