/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/analysis_html.h"

#include "bot/admin/html.h"
#include "bot/lichess/jsonread.h"

#include <inttypes.h>

/* A text, or a number as it was written. */
static bool put_member(Buf *out, const struct json_object *from, const char *key)
{
    struct json_object *value = NULL;
    json_object_object_get_ex(from, key, &value);
    const char *text = json_object_get_string(value);
    return !text || html_put(out, text_of(text));
}

static bool put_loss(Buf *out, const struct json_object *loss)
{
    static const char *const texts[] = { "before", "after", "lost", "cause", "best" };
    bool ok = buf_printf(out, "<tr class=\"%s\"><td>",
                         text_is(jsonread_text(loss, "judgement"), "blunder") ? "blunder" : "") &&
              put_member(out, loss, "move") && put_member(out, loss, "mark") &&
              buf_put_text(out, "</td>");
    for (size_t i = 0; ok && i < sizeof texts / sizeof *texts; i++) {
        bool is_number = i < 3;
        ok = buf_put_text(out, is_number ? "<td class=\"n\">" : "<td>") &&
             put_member(out, loss, texts[i]) && buf_put_text(out, i == 2 ? " %</td>" : "</td>");
    }
    return ok && buf_put_text(out, "</tr>\n");
}

static bool put_losses(Buf *out, const struct json_object *list)
{
    size_t count = list ? json_object_array_length(list) : 0;
    if (count == 0)
        return buf_put_text(out, "<p>No move lost points.</p>");
    bool ok = buf_put_text(out, "<div class=\"wide\"><table><tr><th>move</th><th>before</th>"
                                "<th>after</th><th>lost</th><th>by</th><th>best</th></tr>\n");
    for (size_t i = 0; ok && i < count; i++)
        ok = put_loss(out, json_object_array_get_idx(list, i));
    return ok && buf_put_text(out, "</table></div>");
}

bool analysis_html_write(Buf *out, const struct json_object *analysis)
{
    const struct json_object *accuracy = jsonread_object(analysis, "accuracy");
    if (!analysis)
        return true;
    bool ok = buf_put_text(out, "<section class=\"analysis\"><h2>Analysis</h2>\n<p>");
    if (ok && accuracy)
        ok = buf_put_text(out, "Accuracy: White ") && put_member(out, accuracy, "white") &&
             buf_put_text(out, " %, Black ") && put_member(out, accuracy, "black") &&
             buf_put_text(out, " %. ");
    if (ok && jsonread_text(analysis, "lost_by").len > 0)
        ok = buf_put_text(out, "We lost by ") && put_member(out, analysis, "lost_by") &&
             buf_put_text(out, ". ");
    return ok &&
           buf_put_text(out,
                        "What a move lost is in percent of its side's winning chances.</p>\n") &&
           put_losses(out, jsonread_array(analysis, "losses")) && buf_put_text(out, "</section>\n");
}
