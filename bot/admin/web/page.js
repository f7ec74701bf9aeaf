// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the games on a page up to date: the server drew them once, and tells of changes as events.
// On a game's own page it also lets one step through its moves, and draws its curves.
// game_json.h says what a game is. Names are escaped by the server or set as text, never as HTML.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const FILES = "abcdefgh";
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const OVER_SHOWN = 8;

const one = (root, selector) => root.querySelector(selector);
const setText = (element, text) => {
  if (element && element.textContent !== text) element.textContent = text;
};
const make = (name, attributes) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

// ---- positions: 64 letters or "", a8 first; "Q~" was a pawn ----

function boardOf(placement) {
  const squares = [];
  for (const c of placement.split(/[ [\]]/)[0].replaceAll("/", "").match(/[a-z]~?|\d/gi))
    squares.push(...(c >= "1" && c <= "8" ? Array(Number(c)).fill("") : [c]));
  return squares;
}

// What a side has besides: men in hand, or the checks that it has given.
function besideBoard(fen, side) {
  const isOurs = (letter) => (letter < "a") === (side === "white");
  const pocket = /\[(\w*)\]/.exec(fen), left = / ([0-3])\+([0-3]) /.exec(fen);
  if (pocket)
    return [...pocket[1]].filter(isOurs)
      .map((letter) => "♛♜♝♞♟"["qrbnp".indexOf(letter.toLowerCase())]).join("");
  const given = left ? 3 - Number(left[side === "white" ? 1 : 2]) : 0;
  return given > 0 ? `+${given}` : "";
}

const squareOf = (name) => FILES.indexOf(name[0]) + 8 * (8 - Number(name[1]));

// The moves are legal, so only what moves besides the piece itself needs a thought.
function played(before, uci) {
  const board = before.slice();
  const from = squareOf(uci), to = squareOf(uci.slice(2));
  const piece = board[from], target = board[to], kind = piece.toLowerCase();
  const isOwnRook = target && target.toLowerCase() === "r" && (target < "a") === (piece < "a");
  board[from] = "";
  if (kind === "k" && (isOwnRook || Math.abs(to - from) === 2)) {
    const row = from - from % 8, isKingSide = to > from;
    const rook = isOwnRook ? to : row + (isKingSide ? 7 : 0);
    const letter = board[rook];
    board[rook] = "";
    board[row + (isKingSide ? 6 : 2)] = piece;
    board[row + (isKingSide ? 5 : 3)] = letter;
    return board;
  }
  if (kind === "p" && from % 8 !== to % 8 && !target) board[from - from % 8 + to % 8] = "";
  board[to] = uci[4] ? (piece < "a" ? uci[4].toUpperCase() : uci[4]) : piece;
  return board;
}

function draw(article, board, last) {
  const isFlipped = article.dataset.below === "black";
  const at = (square) => {
    const shown = isFlipped ? 63 - square : square;
    return { x: shown % 8, y: Math.floor(shown / 8), width: 1, height: 1 };
  };
  const pieces = board.flatMap((letter, square) => letter ? [make("use", {
    class: (letter < "a" ? "w" : "b") + (letter[1] ? " promoted" : ""),
    href: "#" + letter[0].toLowerCase(), ...at(square) })] : []);
  const marks = (last || "").length < 4 ? [] : [last, last.slice(2)].slice(last[1] === "@" ? 1 : 0);
  one(article, ".pieces").replaceChildren(...pieces);
  one(article, ".marks").replaceChildren(
    ...marks.map((name) => make("rect", { class: "last", ...at(squareOf(name)) })));
}

// ---- numbers as people read them ----

function clockText(ms, isRunning) {
  const s = Math.max(0, ms) / 1000, whole = Math.floor(s), two = (n) => String(n).padStart(2, "0");
  if (whole >= 3600)
    return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  const tenths = isRunning && s < 10 ? `.${Math.floor(s * 10) % 10}` : "";
  return `${Math.floor(whole / 60)}:${two(whole % 60)}${tenths}`;
}

function scoreText(score) {
  if (!score || (score.cp === undefined && score.mate === undefined)) return "";
  if (score.mate !== undefined) return `#${score.mate}`;
  return (score.cp < 0 ? "" : "+") + (score.cp / 100).toFixed(2);
}

// After: Lichess, "Lichess Accuracy metric", lichess.org/page/accuracy.
function chances(score) {
  if (score.mate !== undefined) return score.mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-0.00368208 * (score.cp || 0)));
}

function secondsText(ms) {
  return ms < 60000 ? `${(ms / 1000).toFixed(1)} s` : clockText(ms, false);
}

function lineText(names, ply) {
  return names.map((san, i) => {
    const at = ply + i, number = Math.ceil(at / 2);
    return at % 2 === 1 ? `${number}. ${san}` : i === 0 ? `${number}… ${san}` : san;
  }).join(" ");
}

// ---- a game on the page ----

class GameView {
  constructor(article) {
    this.article = article;
    this.id = article.dataset.id;
    this.game = null;
    this.moves = [];
    this.boards = [boardOf(START)];
    this.cursors = []; // in the curves
    this.shown = null; // the ply that somebody looks at; null: the latest
    this.list = one(article, ".moves");
    if (this.list) this.addTools();
  }

  get isOver() { return this.game?.phase === "over"; }

  update(game) {
    this.game = game;
    this.received = performance.now();
    if (this.list) this.takeMoves(game);
    if (game.fen && this.shown === null) this.draw(boardOf(game.fen), game.last);
    this.showBeside();
    this.showThought();
    this.showState();
    this.tick();
  }

  draw(board, last) {
    const what = `${board} ${last} ${this.article.dataset.below}`;
    if (what !== this.drawn) draw(this.article, board, last);
    this.drawn = what;
  }

  showBeside() {
    const fen = this.shown === null ? this.game.fen : this.moves[this.shown - 1]?.fen;
    for (const side of ["white", "black"])
      setText(one(this.article, `.${side} .beside`), besideBoard(fen || "", side));
  }

  showThought() {
    const latest = this.game.eval || this.moves.findLast((move) => move.depth);
    const score = this.shown === null ? latest : this.moves[this.shown - 1];
    this.showBar(score);
    setText(one(this.article, ".score"), scoreText(score));
    setText(one(this.article, ".depth"), score?.depth ? `depth ${score.depth}` : "");
    setText(one(this.article, ".pv"),
      this.shown === null && score?.pv ? lineText(score.pv, score.pv_ply) : "");
  }

  showBar(score) {
    const near = one(this.article, ".bar .near");
    if (!score || (score.cp === undefined && score.mate === undefined)) return;
    const height = this.article.dataset.below === "white" ? chances(score) : 1 - chances(score);
    near.setAttribute("y", (100 * (1 - height)).toFixed(1));
  }

  showState() {
    const { phase, result, status } = this.game;
    this.article.classList.toggle("over", this.isOver);
    setText(one(this.article, ".state"), this.isOver ? `${result} ${status}` : phase);
  }

  tick() {
    if (!this.game?.clock_ms) return;
    for (const side of ["white", "black"]) {
      const isRunning = this.game.is_ticking && this.game.turn === side;
      let ms = this.game.clock_ms[side] - (isRunning ? performance.now() - this.received : 0);
      if (this.shown !== null) ms = this.clockAt(side) ?? ms;
      const element = one(this.article, `.${side} .clock`);
      setText(element, clockText(ms, isRunning));
      element.classList.toggle("runs", Boolean(isRunning));
    }
  }

  // ---- its moves, on its own page ----

  clockAt(side) {
    const isFirstWhite = !(this.game.initial_fen || "").includes(" b ");
    for (let i = this.shown - 1; i >= 0; i--)
      if ((i % 2 === 0) === (isFirstWhite === (side === "white"))) return this.moves[i].clock_ms;
    return this.game.initial_s * 1000;
  }

  takeMoves(game) {
    if (game.from > this.moves.length) {
      this.readAll();
      return;
    }
    if (game.moves.length === 0 && game.from === this.moves.length) return;
    if (this.boards.length === 1) this.boards[0] = boardOf(game.initial_fen || START);
    this.moves.splice(game.from, Infinity, ...game.moves);
    this.boards.splice(game.from + 1, Infinity);
    if (game.fen)
      for (const move of game.moves)
        this.boards.push(move.fen ? boardOf(move.fen) : played(this.boards.at(-1), move.uci));
    this.showMoves(game.from);
    this.showCurves();
  }

  async readAll() {
    if (this.isReading) return;
    this.isReading = true;
    try {
      const answer = await fetch(`/json/${encodeURIComponent(this.id)}`);
      if (answer.ok) {
        const whole = await answer.json();
        this.isReading = false;
        const isOlder = whole.plies < this.game?.plies;
        this.update(whole);
        if (isOlder) this.readAll();
      }
    } finally {
      this.isReading = false;
    }
  }

  showMoves(from) {
    while (this.list.children.length > from) this.list.lastChild.remove();
    this.moves.slice(from).forEach((move, i) => {
      const item = document.createElement("li"), button = document.createElement("button");
      button.textContent = move.san;
      button.addEventListener("click", () => this.show(from + i + 1));
      item.append(button);
      this.list.append(item);
    });
    for (const loss of this.game.analysis?.losses ?? [])
      this.list.children[loss.ply - 1]?.classList.add(loss.judgement);
    this.markMove();
  }

  markMove() {
    const ply = this.shown ?? this.moves.length;
    [...this.list.children].forEach((item, i) => item.classList.toggle("here", i + 1 === ply));
    const here = this.list.children[ply - 1];
    if (here) this.list.scrollTop = here.offsetTop - this.list.clientHeight / 2;
    for (const cursor of this.cursors) cursor.setAttribute("x", Math.max(0, ply - 0.5));
    this.showDetail(ply);
  }

  // The move that is looked at, in words.
  showDetail(ply) {
    const move = this.moves[ply - 1];
    if (!move) {
      setText(this.detail, "the beginning");
      return;
    }
    const loss = this.game.analysis?.losses.find((other) => other.ply === ply);
    const used = this.usedAt(ply - 1), first = (this.game.initial_fen || "").includes(" b ") ? 1 : 0;
    setText(this.detail, [
      lineText([move.san], ply + first), move.book ? "book" : "",
      move.depth ? `${scoreText(move)} at depth ${move.depth}` : "",
      used === undefined ? "" : secondsText(used),
      loss ? `${loss.judgement} (${loss.cause}), ${loss.before} → ${loss.after}` : "",
      loss?.best ? `best ${loss.best}` : ""].filter(Boolean).join(" · "));
  }

  show(ply) {
    const last = this.moves.length;
    const wanted = Math.min(Math.max(ply, 0), last);
    if (!this.game || this.boards.length !== last + 1) return;
    this.shown = wanted === last ? null : wanted;
    this.draw(this.boards[wanted], wanted > 0 ? this.moves[wanted - 1].uci : "");
    this.showBeside();
    this.showThought();
    this.markMove();
    this.tick();
  }

  // What the move took from its mover's clock, else what our search took. Before the third ply the
  // clocks stand still on Lichess.
  usedAt(index) {
    const now = this.moves[index].clock_ms, before = this.moves[index - 2]?.clock_ms;
    if (now === undefined || before === undefined) return this.moves[index].ms;
    const used = before + (this.game.increment_s || 0) * 1000 - now;
    return used >= 0 ? used : undefined; // time was given
  }

  step(by) { this.show((this.shown ?? this.moves.length) + by); }

  flip() {
    this.article.dataset.below = this.article.dataset.below === "white" ? "black" : "white";
    this.article.classList.toggle("flipped");
    const flipped = this.article.dataset.below === "black";
    const isRank = (text) => text.textContent < "9";
    for (const text of this.article.querySelectorAll(".names text")) {
      if (isRank(text)) {
        const rank = Number(text.textContent);
        text.setAttribute("y", (flipped ? rank - 1 : 8 - rank) + 0.22);
      } else {
        const file = FILES.indexOf(text.textContent);
        text.setAttribute("x", (flipped ? 7 - file : file) + 0.92);
      }
    }
    const [far, near] = this.article.querySelectorAll(".bar rect");
    far.setAttribute("class", flipped ? "white" : "black");
    near.setAttribute("class", `${this.article.dataset.below} near`);
    this.show(this.shown ?? this.moves.length);
    this.showThought();
  }

  addTools() {
    const bar = document.createElement("p");
    bar.className = "steps";
    const tools = [["«", "to the beginning (Home)", () => this.show(0)],
                   ["‹", "back (←)", () => this.step(-1)],
                   ["›", "forward (→)", () => this.step(1)],
                   ["»", "to the latest move (End)", () => this.show(Infinity)],
                   ["flip", "turn the board (f)", () => this.flip()]];
    const keys = { Home: 0, ArrowLeft: 1, ArrowRight: 2, End: 3, f: 4 };
    for (const [sign, label, action] of tools) {
      const button = document.createElement("button");
      button.textContent = sign;
      button.title = label;
      button.setAttribute("aria-label", label);
      button.addEventListener("click", action);
      bar.append(button);
    }
    document.addEventListener("keydown", (event) => {
      const tool = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
      if (tool === undefined) return;
      event.preventDefault();
      tools[tool][2]();
    });
    const curve = (name) => {
      const drawing = make("svg", { class: `curve ${name}`, preserveAspectRatio: "none", role: "img" });
      drawing.addEventListener("click", (event) => {
        const box = drawing.getBoundingClientRect();
        this.show(Math.ceil((event.clientX - box.left) / box.width * this.moves.length));
      });
      return drawing;
    };
    this.detail = document.createElement("p");
    this.detail.className = "detail";
    this.detail.setAttribute("aria-live", "polite");
    this.curve = curve("evals");
    this.times = curve("times");
    this.list.before(bar);
    this.list.after(this.detail, this.curve, this.times);
  }

  showCurves() {
    this.cursors = [this.curve, this.times].map(() =>
      make("rect", { class: "cursor", y: 0, width: 1, height: 100, x: 0 }));
    this.showEvals(this.cursors[0]);
    this.showTimes(this.cursors[1]);
    this.markMove();
  }

  // White's chances after each move that has an evaluation; an analysis has them all.
  showEvals(cursor) {
    const count = Math.max(this.moves.length, 1), percent = this.game.analysis?.percent;
    const known = this.moves.filter((move) => move.cp !== undefined || move.mate !== undefined);
    const points = percent
      ? percent.flatMap((value, i) => value === null ? [] : [`${i + 0.5},${(100 - value).toFixed(1)}`])
      : this.moves.flatMap((move, i) => move.cp === undefined && move.mate === undefined
        ? [] : [`${i + 0.5},${(100 * (1 - chances(move))).toFixed(1)}`]);
    const first = points[0]?.split(",")[0] ?? 0, final = points.at(-1)?.split(",")[0] ?? 0;
    this.curve.setAttribute("viewBox", `0 0 ${count} 100`);
    this.curve.setAttribute("aria-label", known.length === 0 ? "no evaluation of the game"
      : `evaluation over the game: from ${scoreText(known[0])} to ${scoreText(known.at(-1))} for White`);
    this.curve.replaceChildren(
      make("rect", { class: "black", width: count, height: 100 }),
      make("polygon", { class: "white", points: `${first},100 ${points.join(" ")} ${final},100` }),
      make("line", { class: "middle", x1: 0, x2: count, y1: 50, y2: 50 }), cursor);
  }

  // Each move's time as a bar: White's upwards, Black's downwards.
  showTimes(cursor) {
    const count = Math.max(this.moves.length, 1), used = this.moves.map((_, i) => this.usedAt(i));
    const most = Math.max(1, ...used.map((ms) => ms ?? 0));
    const isWhite = (i) => (i % 2 === 0) !== (this.game.initial_fen || "").includes(" b ");
    this.times.setAttribute("viewBox", `0 0 ${count} 100`);
    this.times.setAttribute("aria-label", used.some((ms) => ms !== undefined)
      ? `time used a move: ${secondsText(most)} at most` : "no times of the game");
    this.times.replaceChildren(
      ...used.flatMap((ms, i) => {
        const height = 50 * (ms ?? 0) / most;
        return ms === undefined ? [] : [make("rect", { class: isWhite(i) ? "white" : "black",
          x: i + 0.1, width: 0.8, y: isWhite(i) ? 50 - height : 50, height })];
      }),
      make("line", { class: "middle", x1: 0, x2: count, y1: 50, y2: 50 }), cursor);
  }
}

// ---- the page ----

const page = document.body.dataset;
const views = new Map();

function adopt(article) {
  const view = new GameView(article);
  views.set(view.id, view);
  return view;
}

// A game that this page does not show yet: drawn by the server.
async function open(game, form) {
  views.set(game.id, null); // it is on its way
  const answer = await fetch(`/${form}/${encodeURIComponent(game.id)}`);
  views.delete(game.id);
  if (!answer.ok) return;
  const drawn = document.createElement("template");
  drawn.innerHTML = await answer.text();
  const article = drawn.content.firstElementChild, holder = one(document, "#games");
  if (page.kind === "overlay") {
    holder.replaceChildren(article);
    views.clear();
  } else {
    holder.prepend(article);
  }
  adopt(article).update(game);
  forgetOld();
}

// An overlay of the latest game goes on to the next one when its own is over.
let next = null;
function goOn() {
  if (!next || ![...views.values()].every((view) => view?.isOver)) return;
  open(next, "bare");
  next = null;
}

// Of the games that are over the latest few stay.
function forgetOld() {
  if (page.kind !== "overview") return;
  const over = [...views.values()].filter((view) => view?.isOver);
  over.sort((a, b) => (b.game.ended_unix_s || 0) - (a.game.ended_unix_s || 0));
  for (const view of over.slice(OVER_SHOWN)) close(view);
  one(document, "#none").hidden = views.size > 0;
}

function close(view) {
  view.article.remove();
  views.delete(view.id);
}

function onGame(game) {
  if (!game.white) return; // nothing is known of it yet
  const view = views.get(game.id);
  if (view) view.update(game);
  else if (view === undefined && page.kind === "overview") open(game, "card");
  else if (view === undefined && page.latest && game.phase !== "over") next = game;
  if (page.latest) goOn();
  forgetOld();
}

// What is there now: other games went while nobody told us.
function onGames(ids) {
  for (const view of [...views.values()])
    if (view && !view.isOver && !ids.includes(view.id) && page.kind === "overview") close(view);
  forgetOld();
}

function listen() {
  const events = new EventSource("/events");
  const on = (name, act) => events.addEventListener(name, (event) => act(JSON.parse(event.data)));
  on("game", onGame);
  on("games", onGames);
  on("state", (html) => { const state = one(document, "#state"); if (state) state.innerHTML = html; });
  events.onopen = () => document.body.classList.remove("offline");
  events.onerror = () => {
    document.body.classList.add("offline");
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 5000);
  };
}

for (const article of document.querySelectorAll("article.game")) adopt(article);
if (page.kind === "game") for (const view of views.values()) view.readAll();
if (page.live) {
  listen();
  setInterval(() => { for (const view of views.values()) view?.tick(); }, 100);
}
