/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/external_fault.h"

#include "bot/source/uci_text.h"
#include "engine/base/text_format.h"
#include "engine/core/fen.h"

static int ply_of(const MoveRequest *request)
{
    int ply = 1;
    Text moves = request->moves;
    while (uci_text_next(&moves).len > 0)
        ply++;
    return ply;
}

static void tell_lines(const ExternalFault *fault, Log *log, TranscriptKind kind, const char *from)
{
    const char *lines[TRANSCRIPT_RECENT_LINES];
    int count = transcript_writer_recent(fault->transcript, kind, lines);
    for (int i = 0; i < count; i++)
        log_info(log, "engine", "wrote",
                 FIELDS(F("id", fault->request->game), F("engine", fault->engine), F("to", from),
                        F("line", lines[i])));
}

void external_fault_tell(const ExternalFault *fault, Log *log, char words[EXTERNAL_FAULT_SIZE])
{
    const MoveRequest *request = fault->request;
    char fen[FEN_SIZE], note[EXTERNAL_FAULT_SIZE];
    int ply = ply_of(request);
    fen_write(request->position, fen);
    if (fault->strikes > 0)
        log_warning(log, "engine", "strike",
                    FIELDS(F("id", request->game), F("engine", fault->engine),
                           F("strikes", fault->strikes), F("why", fault->why), F("ply", ply),
                           F("fen", fen), F("go", fault->go), F("position", fault->position)));
    else
        log_warning(log, "engine", "lost-on-time",
                    FIELDS(F("id", request->game), F("engine", fault->engine), F("ply", ply),
                           F("fen", fen), F("go", fault->go), F("position", fault->position)));
    text_format_cut(words, EXTERNAL_FAULT_SIZE, "%s in game %s at ply %d: %s; %s", fault->why,
                    request->game ? request->game : "-", ply, fen, fault->go);
    if (!fault->transcript)
        return;
    text_format_cut(note, sizeof note, "%d %s", ply, fault->why);
    transcript_writer_note(fault->transcript, TRANSCRIPT_FAULT, note);
    tell_lines(fault, log, TRANSCRIPT_HEARD, "stdout");
    tell_lines(fault, log, TRANSCRIPT_ERROR, "stderr");
}
