// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the page that the address asks for and keeps it up to date from the server's events, or, where
// there are too many viewers for these, by asking again now and then.
import { clockText } from "./clock.js";
import { html, one } from "./dom.js";
import { GameView } from "./game.js";
import { countText, latestText, playerText, otherSide } from "./words.js";

const OVER_SHOWN = 8;
const ASK_AGAIN_MS = 5000;
const PAGES = [["overview", "/", "now"], ["games", "/games", "finished games"], ["stats", "/stats", "statistics"]];

const kind = document.body.dataset.kind;
const asked = new URLSearchParams(location.search);
const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const views = new Map();
const holder = html("div", { id: "games" });
let site = "";

async function read(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(answer.status === 404 ? "There is no such game." : "It can't be read now; try again soon.");
  return answer.json();
}

// ---- around it ----

function header({ account, url }) {
  const links = PAGES.map(([name, path, text]) =>
    html("a", { href: path, "aria-current": name === kind ? "page" : undefined }, text));
  const title = account ? `${account} on ${url.replace(/^.*:\/\//, "")}` : "castled";
  return html("header", {}, html("h1", {}, title), html("nav", {}, ...links));
}

function place(who, ...parts) {
  document.body.append(header(who), html("main", {}, ...parts));
}

function footer({ version }) {
  return html("p", { class: "footer" }, `castled ${version} · `, html("a", { href: "/metrics" }, "metrics"), " · ",
    html("a", { href: "/status.json" }, "status.json"));
}

const running = () => [...views.values()].filter((view) => !view.isOver);

// "3 games · Alba 1:23": the one in which our clock is lowest.
function overviewTitle() {
  const games = running(), timed = games.filter(({ game }) => game.clock_ms);
  const left = (view) => view.leftMs(view.game.us);
  const nearest = timed.sort((a, b) => left(a) - left(b))[0];
  const clock = nearest
    ? ` · ${playerText(nearest.game[otherSide(nearest.game.us)])} ${clockText(left(nearest)).split(".")[0]}` : "";
  return games.length ? countText(games.length, "game") + clock : "castled";
}

function gameTitle(view) {
  const { game } = view;
  return [playerText(game[otherSide(game.us)]), latestText(game)].filter(Boolean).join(" ");
}

function showTitle() {
  const [view] = views.values();
  document.title = kind === "overview" ? overviewTitle() : view ? gameTitle(view) : "castled";
}

// ---- games that are being played ----

function addView(view, game) {
  views.set(view.id, view);
  holder.prepend(view.article);
  view.update(game);
}

function close(view) {
  view.article.remove();
  views.delete(view.id);
}

// Of the games that are over the latest few stay.
function forgetOld() {
  if (kind !== "overview") return;
  const over = [...views.values()].filter((view) => view.isOver);
  over.sort((a, b) => (b.game.ended_unix_s || 0) - (a.game.ended_unix_s || 0));
  for (const view of over.slice(OVER_SHOWN)) close(view);
  one(document, "#none").hidden = views.size > 0;
}

// Which game /overlay/latest shows: one that has begun since, and once it is over the one that has the
// least time left. So no long game keeps others out.
const known = new Map();
let wanted = null;

function leastTime(games) {
  const left = ({ clock_ms: ms }) => ms ? Math.min(ms.white, ms.black) : Infinity;
  return games.sort((a, b) => left(a) - left(b))[0];
}

function choose(game) {
  const isNew = !known.has(game.id) && game.phase !== "over";
  known.set(game.id, game);
  const shown = known.get(wanted), others = [...known.values()].filter(({ phase }) => phase !== "over");
  if (!shown || (isNew && (shown.phase === "over" || (game.began_unix_s ?? 0) >= (shown.began_unix_s ?? 0))))
    wanted = game.id;
  else if (shown.phase === "over" && others.length) wanted = leastTime(others).id;
  return wanted;
}

function onLatest(game) {
  const next = choose(game);
  if (!views.has(next)) {
    for (const view of views.values()) close(view);
    addView(new GameView(known.get(next)), known.get(next));
  } else if (next === game.id) {
    views.get(next).update(game);
  }
}

function onGame(game) {
  if (!game.white) return; // nothing is known of it yet
  const view = views.get(game.id);
  if (kind === "overlay" && id === "latest") onLatest(game);
  else if (view) view.update(game);
  else if (kind === "overview") addView(new GameView(game, site), game);
  forgetOld();
}

// What is there now: other games went while nobody told us.
function onGames(ids) {
  if (kind === "overview")
    for (const view of running()) if (!ids.includes(view.id)) close(view);
  for (const view of views.values()) view.showNext?.(ids);
  for (const old of [...known.keys()]) if (!ids.includes(old) && old !== wanted) known.delete(old);
  forgetOld();
}

async function onState(status) {
  if (kind !== "overview") return;
  const { stateTable } = await import("./state.js");
  one(document, "#state").replaceChildren(stateTable(status));
}

// Of a status, what the events would tell.
function takeStatus(status) {
  site = status.url;
  onGames(status.games.map((game) => game.id));
  for (const game of [...status.recent].reverse().concat(status.games)) onGame(game);
  onState(status);
}

async function askAgain() {
  const status = await read("/status.json").catch(() => null);
  document.body.classList.toggle("offline", !status);
  if (status) takeStatus(status);
}

function listen() {
  const events = new EventSource("/events");
  const on = (name, act) => events.addEventListener(name, (event) => act(JSON.parse(event.data)));
  on("game", onGame);
  on("games", onGames);
  on("state", onState);
  events.onopen = () => document.body.classList.remove("offline");
  events.onerror = () => {
    document.body.classList.add("offline");
    if (events.readyState !== EventSource.CLOSED) return;
    askAgain();
    setTimeout(listen, ASK_AGAIN_MS * (1 + Math.random()));
  };
}

function follow() {
  listen();
  setInterval(() => { for (const view of views.values()) view.tick(); }, 100);
  setInterval(showTitle, 1000);
  showTitle();
}

// ---- the pages ----

async function showOverview() {
  const status = await read("/status.json");
  place(status, html("p", { id: "none", hidden: true }, "No game is being played."), holder,
    html("h2", {}, "State"), html("div", { id: "state" }), footer(status));
  takeStatus(status);
  follow();
}

async function showGame() {
  const { WholeGame, analysisSection } = await import("./moves.js");
  const game = await read(`/json/${id}`);
  if (game.sorry) throw new Error(game.sorry);
  place(game, holder);
  addView(new WholeGame(game, game.url), game);
  if (game.analysis) holder.append(analysisSection(game.analysis));
  showTitle();
  if (game.phase !== "over") follow();
}

async function showOverlay() {
  document.body.append(html("main", {}, holder));
  if (id === "latest") {
    const { games, recent } = await read("/status.json");
    const byStart = (a, b) => (a.began_unix_s ?? 0) - (b.began_unix_s ?? 0);
    for (const game of recent.concat(games.sort(byStart))) onGame(game);
  } else {
    const game = await read(`/json/${id}`);
    addView(new GameView(game), game);
  }
  follow();
}

async function showArchive() {
  const { gamesPage, statsPage } = await import("./lists.js");
  const answer = await read(`/${kind}.json${location.search}`);
  document.title = `${kind === "games" ? "finished games" : "statistics"} · ${answer.account}`;
  if (answer.sorry) place(answer, html("p", {}, answer.sorry));
  else place(answer, ...(kind === "games" ? gamesPage : statsPage)(answer, asked));
}

const shows = { overview: showOverview, game: showGame, overlay: showOverlay, games: showArchive, stats: showArchive };
shows[kind]().catch((error) => {
  if (kind !== "overlay") place({}, html("p", {}, error.message));
});
