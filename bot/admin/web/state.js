// SPDX-License-Identifier: GPL-3.0-or-later
// The state of the daemon as a table. status_json.h says what there is.
import { durationText } from "./clock.js";
import { html } from "./dom.js";

const bad = (text) => html("span", { class: "bad" }, text);

// Between the parts of a cell.
const joined = (parts, between) => parts.flatMap((part, i) => i === 0 ? [part].flat() : [between, ...[part].flat()]);

function connection(status) {
  return [status.online ? `online for ${durationText(status.online_s)}` : bad("offline"),
    status.draining ? ", takes no more games" : "", `; up for ${durationText(status.up_s)}`];
}

function slots(status) {
  const waiting = status.waiting.map(({ player, game, waiting_s: s }) =>
    player + (game ? ` (${game}, for ${durationText(s)})` : ""));
  return [`${status.slots_used} of ${status.slots} taken, ${status.correspondence_used} of ` +
    `${status.correspondence_slots} for correspondence`, waiting.length ? `; waiting: ${waiting.join(", ")}` : ""];
}

function planned({ scheduled }) {
  return scheduled.length === 0 ? ["nothing"]
    : joined(scheduled.map(({ challenge, games, at }) => `${challenge}, ${games} at ${at}`), html("br"));
}

function tournaments({ tournaments: list, url }) {
  const when = ({ starts_in_s: starts, ends_in_s: ends }) => starts !== undefined
    ? `, starts in ${durationText(starts)}` : ends !== undefined ? `, ends in ${durationText(ends)}` : "";
  return list.length === 0 ? ["none"] : joined(list.map((arena) =>
    [html("a", { href: `${url}/tournament/${arena.id}` }, arena.name || arena.id), `: ${arena.state}${when(arena)}`]),
    html("br"));
}

const results = ({ games_finished: { won, drawn, lost, aborted } }) =>
  [`won ${won}, drawn ${drawn}, lost ${lost}, aborted ${aborted}`];

function moves({ moves: { arrived, echo_sum_ms: sum, echo_worst_ms: worst } }) {
  return [String(arrived), arrived > 0
    ? `, on the server's list after ${Math.floor(sum / arrived)} ms (worst ${worst} ms)` : ""];
}

const requests = ({ pacer, limits }) => [
  `${pacer.last_minute} in the last minute, ${pacer.waiting} waiting`,
  ...Object.entries(limits).flatMap(([family, s]) => ["; ", bad(`limited: ${family} for ${durationText(s)}`)])];

const matchmaking = ({ matchmaking: from }) => [`${from.doing}; today ${from.bot_games_today} of ` +
  `${from.bot_games_allowed} games against bots, ${from.credits_today} of ${from.credits_allowed} credits`];

const archive = ({ archive: { state, written, why } }) =>
  [`${state}, ${written} games written`, ...(why ? ["; ", bad(why)] : [])];

const ROWS = [["Server", connection], ["Slots", slots], ["Planned", planned], ["Tournaments", tournaments],
              ["Since the start", results], ["Moves", moves], ["Requests", requests], ["Matchmaking", matchmaking],
              ["Archive", archive], ["Memory", ({ memory_kib: kib }) => [`${Math.floor(kib / 1024)} MiB`]]];

export const stateTable = (status) => html("table", {}, html("tbody", {}, ...ROWS.map(([name, cell]) =>
  html("tr", {}, html("th", { scope: "row" }, name), html("td", {}, ...cell(status).filter((part) => part !== ""))))));
