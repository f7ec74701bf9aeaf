// SPDX-License-Identifier: GPL-3.0-or-later
// A game on the page: players, clocks, board, evaluation. game_json.h says what a game is.
import { Board, besideBoard, boardOf } from "./board.js";
import { clockText } from "./clock.js";
import { html, one, setText, svg } from "./dom.js";
import { chances, isScored, kindText, latestText, lineText, otherSide, playerText, resultText, scoreText, sides }
  from "./words.js";

function playerLine(player, side) {
  const who = html("span", { class: "who" });
  if (player.title) who.append(html("b", {}, player.title), " ");
  who.append(playerText({ ...player, title: "" }));
  if (player.rating) who.append(" ", html("span", { class: "rating" }, String(player.rating)));
  return html("p", { class: `player ${side}` }, who, html("span", { class: "beside" }),
    html("span", { class: "clock" }));
}

export class GameView {
  // `site`: the server's address; without it the view is an overlay's: players and board.
  constructor(game, site) {
    // In a race both sides run upwards, as on Lichess.
    const below = game.us === "black" && game.variant !== "racingKings" ? "black" : "white";
    this.id = game.id;
    this.site = site;
    this.game = game;
    this.board = new Board(below);
    this.bar = svg("svg", { class: "bar", viewBox: "0 0 1 100", preserveAspectRatio: "none", role: "img" },
      svg("rect", { class: "far", width: 1, height: 100 }), svg("rect", { class: "near", width: 1, height: 100 }));
    this.players = Object.fromEntries(sides.map((side) => [side, playerLine(game[side], side)]));
    this.article = html("article", { class: "game", "data-id": game.id },
      html("h2", { class: "unseen" }, sides.map((side) => playerText(game[side])).join(" – ")),
      this.players[otherSide(below)], html("div", { class: "field" }, this.bar, this.board.element),
      this.players[below]);
    this.below(below);
    if (site !== undefined) this.article.append(...this.words(game));
  }

  below(side) {
    this.article.dataset.below = side;
    one(this.bar, ".far").setAttribute("class", `${otherSide(side)} far`);
    one(this.bar, ".near").setAttribute("class", `${side} near`);
    this.board.turn(side);
  }

  words(game) {
    return [
      html("p", { class: "thought" }, html("b", { class: "latest" }), " ", html("span", { class: "score" }), " ",
        html("span", { class: "depth" }), " ", html("span", { class: "pv" })),
      html("p", { class: "opening" }),
      html("p", { class: "caption" }, html("a", { class: "open", href: `/game/${game.id}` }, kindText(game)), " ",
        html("span", { class: "state" }), " ",
        html("a", { class: "server", href: `${this.site}/${game.id}` }, this.serverText()))];
  }

  serverText() { return this.id; }

  get isOver() { return this.game.phase === "over"; }

  update(game) {
    this.game = { ...game, opening: game.opening ?? this.game.opening };
    this.received = performance.now();
    this.showPosition();
    this.showState();
    this.tick();
  }

  // What is looked at: the position, how it came about, and what is thought of it.
  get shown() {
    const { fen, last } = this.game;
    return { board: fen ? boardOf(fen) : undefined, fen: fen || "", last, latest: latestText(this.game),
             score: this.game.eval, pv: this.game.eval?.pv };
  }

  showPosition() {
    const { board, fen, last, latest, score, pv } = this.shown;
    if (board) this.board.show(board, last, latest);
    for (const side of sides)
      setText(one(this.players[side], ".beside"), board ? besideBoard(fen, board, side) : "");
    this.showBar(score);
    setText(one(this.article, ".latest"), latest);
    setText(one(this.article, ".score"), isScored(score) ? `White ${scoreText(score)}` : "");
    setText(one(this.article, ".depth"), score?.depth ? `depth ${score.depth}` : "");
    setText(one(this.article, ".pv"), pv ? lineText(pv, score.pv_ply) : "");
    setText(one(this.article, ".opening"), this.game.opening ?? "");
  }

  showBar(score) {
    const label = isScored(score) ? `evaluation for White: ${scoreText(score)}` : "no evaluation";
    const white = isScored(score) ? chances(score) : 0.5;
    const height = this.article.dataset.below === "white" ? white : 1 - white;
    this.bar.setAttribute("aria-label", label);
    one(this.bar, ".near").setAttribute("y", (100 * (1 - height)).toFixed(1));
  }

  showState() {
    const { phase, result } = this.game;
    this.article.classList.toggle("over", this.isOver);
    setText(one(this.article, ".state"), this.isOver ? `${result} · ${resultText(this.game)}` : phase);
  }

  leftMs(side) {
    const isRunning = this.game.is_ticking && this.game.turn === side;
    return this.game.clock_ms[side] - (isRunning ? performance.now() - this.received : 0);
  }

  tick() {
    if (!this.game.clock_ms) return;
    for (const side of sides) {
      const element = one(this.players[side], ".clock");
      setText(element, clockText(this.leftMs(side)));
      element.classList.toggle("runs", Boolean(this.game.is_ticking && this.game.turn === side));
    }
  }
}
