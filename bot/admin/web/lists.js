// SPDX-License-Identifier: GPL-3.0-or-later
// Finished games and statistics: a form to choose with, rows, charts. archive_page.h says what comes.
import { chartFigure } from "./chart.js";
import { dateText } from "./clock.js";
import { html, svg } from "./dom.js";
import { table } from "./tables.js";
import { kindText, otherSide, playerText, resultText, variantText } from "./words.js";

const SPEEDS = ["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"];
const VARIANTS = ["standard", "chess960", "fromPosition", "crazyhouse", "kingOfTheHill", "threeCheck", "antichess",
                  "atomic", "horde", "racingKings"];
const FIELDS = [
  ["against", "against", [["", "anyone"], ["human", "humans"], ["bot", "bots"]]],
  ["speed", "speed", [["", "any"], ...SPEEDS.map((speed) => [speed, speed])]],
  ["variant", "variant", [["", "any"], ...VARIANTS.map((variant) => [variant, variantText(variant)])]],
  ["result", "result", [["", "any"], ["won", "won"], ["drawn", "drawn"], ["lost", "lost"]]],
  ["days", "ended in", [["", "all time"], ["7", "the last week"], ["30", "the last month"], ["365", "the last year"]]],
];

function filterForm(action, asked, names) {
  const typed = (name) => html("label", {}, name, html("input", { name, maxlength: 120, value: asked.get(name) ?? "" }));
  const chosen = FIELDS.filter(([name]) => names.includes(name)).map(([name, label, choices]) => html("label", {}, label,
    html("select", { name }, ...choices.map(([value, text]) =>
      html("option", { value, selected: value === (asked.get(name) ?? "") }, text)))));
  return html("form", { id: "filter", action }, typed("opponent"), typed("opening"), ...chosen,
    html("button", {}, "show"));
}

// The same choice, with one thing more or otherwise.
function address(path, asked, name, value) {
  const other = new URLSearchParams([...asked].filter(([key, text]) => text && key !== name && key !== "page"));
  other.set(name, value);
  return `${path}?${other}`;
}

// ---- finished games ----

function opponentCell(game) {
  const player = game[otherSide(game.us)], cell = document.createDocumentFragment();
  cell.append(playerText(player));
  if (player.rating) cell.append(" ", html("span", { class: "rating" }, String(player.rating)));
  return cell;
}

const timeLink = (game) => html("a", { href: `/game/${game.id}` },
  html("time", { datetime: new Date(game.ended_ms).toISOString() }, dateText(game.ended_ms)));

const outcomes = { "-": "unfinished" };

const gameColumns = [
  ["ended", timeLink, "when"],
  ["opponent", opponentCell, "whom"],
  ["result", (game) => outcomes[game.outcome] ?? game.outcome, (game) => `outcome ${game.outcome}`],
  ["how", resultText, "how"],
  ["we had", (game) => game.us, "us"],
  ["game", kindText, "kind"],
  ["moves", (game) => String(Math.ceil(game.plies / 2)), "n"],
];

function pager(asked, { page, has_more: hasMore }) {
  const link = (to, text) => html("a", { href: address("/games", asked, "page", to) }, text);
  return html("p", { class: "pager" }, ...(page > 0 ? [link(page - 1, "← later"), " "] : []),
    ...(page > 0 || hasMore ? [`page ${page + 1} `] : []), ...(hasMore ? [link(page + 1, "earlier →")] : []));
}

export function gamesPage(answer, asked) {
  const form = filterForm("/games", asked, ["against", "speed", "variant", "result", "days"]);
  return [html("h2", {}, "Finished games"), form,
    answer.games.length ? table(gameColumns, answer.games, "games") : html("p", {}, "No such game is kept."),
    pager(asked, answer)];
}

// ---- statistics ----

function share(row) {
  let x = 0;
  const parts = ["won", "drawn", "lost"].map((style) => {
    const width = row.games > 0 ? 100 * row[style] / row.games : 0, at = x;
    x += width;
    return svg("rect", { class: style, x: at.toFixed(1), width: width.toFixed(1), height: 10 });
  });
  return svg("svg", { class: "share", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, ...parts);
}

// What the list of games is asked, so that it has those of the row.
function rowAddress(by, name, asked) {
  const keys = { kind: "against", speed: "speed", opponent: "opponent", opening: "opening" };
  return address("/games", asked, VARIANTS.includes(name) ? "variant" : keys[by], name);
}

function resultTable({ title, by, rows }, asked) {
  const columns = [
    [by === "kind" ? "who" : by, (row) => html("a", { href: rowAddress(by, row.name, asked) }, row.name)],
    ["games", (row) => String(row.games), "n"], ["won", (row) => String(row.won), "n"],
    ["drawn", (row) => String(row.drawn), "n"], ["lost", (row) => String(row.lost), "n"],
    ["score", (row) => `${(100 * row.score).toFixed(1)} %`, "n"], ["share", share, "shares"],
    ["perform\u00adance", (row) => row.performance === undefined ? "" : String(row.performance), "n"]];
  return html("section", {}, html("h3", {}, title),
    rows.length ? table(columns, rows, "results", true) : html("p", {}, "No game yet."));
}

function progressCharts({ begins_unix_s: begins, step_s: step, count, results, ratings }) {
  const days = step / 86400, place = days === 1 ? "day" : days === 7 ? "week of" : "from";
  const names = Array.from({ length: count }, (_, i) => new Date((begins + i * step) * 1000).toISOString().slice(0, 10));
  const against = (kind, whom) => chartFigure({ kind: "bars", title: `results against ${whom}`, place, names,
    series: ["won", "drawn", "lost"].map((name) => ({ name, style: name, values: results[kind][name] })) });
  return [against("human", "humans"), against("bot", "bots"),
    chartFigure({ kind: "lines", title: "our rating", place, names,
                  series: ratings.map(({ name, rating }) => ({ name, values: rating })) })];
}

function timeTable(speeds) {
  const unit = (key, digits, sign) => (row) => row[key] === undefined ? "" : `${row[key].toFixed(digits)} ${sign}`;
  return table([["speed", (row) => row.speed], ["games", (row) => String(row.games), "n"],
    ["our moves", unit("ours_s", 1, "s"), "n"], ["theirs", unit("theirs_s", 1, "s"), "n"],
    ["of our clock", (row) => `${(100 * row.clock_share).toFixed(0)} %`, "n"],
    ["mean lag", unit("lag_ms", 0, "ms"), "n"], ["worst", unit("lag_worst_ms", 0, "ms"), "n"]], speeds, "clocks");
}

// As many places as there are moves.
function moveTimeChart({ ours, theirs }) {
  const count = Math.max(...[ours, theirs].map((list) => list.findLastIndex((value) => value !== null))) + 1;
  return chartFigure({ kind: "lines", title: "seconds for a move, by its number", place: "move", decimals: 1,
    isFromZero: true, names: Array.from({ length: count }, (_, i) => String(i + 2)),
    series: [{ name: "ours", values: ours.slice(0, count) }, { name: "theirs", values: theirs.slice(0, count) }] });
}

function lagChart({ echo_within_ms: within }) {
  return chartFigure({ kind: "bars", title: "moves by the ms until the server's list shows them, since the start",
    place: "within ms", names: Object.keys(within), series: [{ name: "moves", values: Object.values(within) }] });
}

function charts(title, ...parts) {
  const figures = parts.filter(Boolean);
  return figures.length ? [html("section", {}, html("h3", {}, title), html("div", { class: "charts" }, ...figures))] : [];
}

export function statsPage({ tables, progress, times, moves }, asked) {
  const form = filterForm("/stats", asked, ["against", "speed", "variant", "days"]);
  const [against, speeds, ...others] = tables.map((one) => resultTable(one, asked));
  const lag = charts("Lag", lagChart(moves));
  const used = times.games === 0 ? [] : [html("section", {}, html("h3", {}, "Time"),
    html("p", {}, `In the latest ${times.games} of these games that have a clock. Lag is what our clock lost ` +
      "beyond our search."), timeTable(times.speeds),
    html("div", { class: "charts" }, ...[moveTimeChart(times.by_move)].filter(Boolean)))];
  return [html("h2", {}, "Statistics"), form, against, speeds,
    ...(progress.count > 0 ? charts("Over time", ...progressCharts(progress)) : []), ...others, ...used, ...lag];
}
