// SPDX-License-Identifier: GPL-3.0-or-later
// A game on its own page: its moves to step through, the one shown in words, its curves, its analysis.
import { START, boardOf, played } from "./board.js";
import { dateText, secondsText } from "./clock.js";
import { Curve, drawEvals, drawTimes } from "./curves.js";
import { html, setText } from "./dom.js";
import { GameView } from "./game.js";
import { firstPly, isScored, lineText, scoreText } from "./words.js";
import { table } from "./tables.js";

export class WholeGame extends GameView {
  constructor(game, site) {
    super(game, site);
    this.moves = [];
    this.boards = [boardOf(game.initial_fen || START)];
    this.looked = null; // the ply that somebody looks at; null: the latest
    this.list = html("ol", { class: "moves", "aria-label": "moves" });
    this.detail = html("p", { class: "detail", "aria-live": "polite" });
    this.links = html("p", { class: "links" });
    this.evals = new Curve("evals", (place) => this.show(place));
    this.times = new Curve("times", (place) => this.show(place));
    this.article.append(this.steps(), this.list, this.detail, this.evals.element, this.times.element, this.links);
  }

  serverText() { return "on the server, with its analysis"; }

  // ---- moves ----

  update(game) {
    if (game.from > this.moves.length) {
      this.readAll();
      return;
    }
    const isNew = game.moves.length > 0 || game.from < this.moves.length;
    this.moves.splice(game.from, Infinity, ...game.moves);
    this.boards.splice(game.from + 1, Infinity);
    if (game.fen)
      for (const move of game.moves)
        this.boards.push(move.fen ? boardOf(move.fen) : played(this.boards.at(-1), move.uci));
    super.update({ ...game, moves: this.moves });
    this.showLinks(); // first, since it takes room from the list that follows the latest move
    if (isNew) this.showMoves(game.from);
  }

  async readAll() {
    if (this.isReading) return;
    this.isReading = true;
    const answer = await fetch(`/json/${this.id}`).catch(() => null);
    const whole = answer?.ok ? await answer.json() : null;
    this.isReading = false;
    if (!whole) return;
    const isOlder = whole.plies < this.game.plies;
    this.update(whole);
    if (isOlder) this.readAll();
  }

  showMoves(from) {
    while (this.list.children.length > from) this.list.lastChild.remove();
    this.list.append(...this.moves.slice(from).map((move, i) => {
      const button = html("button", { tabindex: -1 }, move.san), item = html("li", {}, button);
      button.addEventListener("click", () => this.show(from + i + 1));
      return item;
    }));
    for (const loss of this.game.analysis?.losses ?? [])
      this.list.children[loss.ply - 1]?.classList.add(loss.judgement);
    drawEvals(this.evals, this.game);
    drawTimes(this.times, this.game, this.moves.map((_, i) => this.usedAt(i)));
    this.mark();
  }

  // One move is in the order of the tab key; the arrow keys go to the others.
  mark() {
    const ply = this.ply;
    [...this.list.children].forEach((item, i) => {
      const isHere = i + 1 === ply, button = item.firstChild;
      item.classList.toggle("here", isHere);
      button.tabIndex = isHere || (ply === 0 && i === 0) ? 0 : -1;
      if (isHere) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    const here = this.list.children[ply - 1];
    if (here) this.list.scrollTop = here.offsetTop - this.list.clientHeight / 2;
    if (here && this.list.contains(document.activeElement)) here.firstChild.focus({ preventScroll: true });
    this.evals.mark(ply);
    this.times.mark(ply);
    setText(this.detail, this.detailText(ply));
  }

  // The move that is looked at, in words.
  detailText(ply) {
    const move = this.moves[ply - 1];
    if (!move) return "the beginning";
    const loss = this.game.analysis?.losses.find((other) => other.ply === ply), used = this.usedAt(ply - 1);
    return [
      lineText([move.san], ply + firstPly(this.game)), move.book ? "book" : "",
      isScored(move) ? `White ${scoreText(move)} at depth ${move.depth}` : "",
      used === undefined ? "" : secondsText(used),
      loss ? `${loss.judgement} (${loss.cause}), ${loss.before} → ${loss.after}` : "",
      loss?.best ? `best ${loss.best}` : "",
      loss?.people ? `${peopleText(loss.people)} of ${loss.people.rating}s` : "",
      move.people ? levelText(move.people) : ""].filter(Boolean).join(" · ");
  }

  // What the move took from its mover's clock, else what our search took. Before the third ply the
  // clocks stand still on Lichess.
  usedAt(index) {
    const now = this.moves[index].clock_ms, before = this.moves[index - 2]?.clock_ms;
    if (now === undefined || before === undefined) return this.moves[index].ms;
    const used = before + (this.game.increment_s || 0) * 1000 - now;
    return used >= 0 ? used : undefined; // time was given
  }

  // ---- stepping ----

  get ply() { return this.looked ?? this.moves.length; }

  get shown() {
    if (this.looked === null) return super.shown;
    const move = this.moves[this.looked - 1];
    return { board: this.boards[this.looked], fen: move?.fen || "", last: move?.uci, score: move,
             latest: move ? lineText([move.san], this.looked + firstPly(this.game)) : "" };
  }

  leftMs(side) {
    if (this.looked === null) return super.leftMs(side);
    const isFirst = (firstPly(this.game) === 0) === (side === "white");
    for (let i = this.looked - 1; i >= 0; i--)
      if ((i % 2 === 0) === isFirst) return this.moves[i].clock_ms ?? super.leftMs(side);
    return this.game.initial_s * 1000;
  }

  show(ply) {
    const last = this.moves.length, wanted = Math.min(Math.max(ply, 0), last);
    if (this.boards.length !== last + 1) return;
    this.looked = wanted === last ? null : wanted;
    this.showPosition();
    this.mark();
    this.tick();
  }

  flip() {
    this.below(this.article.dataset.below === "white" ? "black" : "white");
    this.article.classList.toggle("flipped");
    this.showPosition();
  }

  steps() {
    const tools = [["«", "to the beginning (Home)", "Home", () => this.show(0)],
                   ["‹", "back (←)", "ArrowLeft", () => this.show(this.ply - 1)],
                   ["›", "forward (→)", "ArrowRight", () => this.show(this.ply + 1)],
                   ["»", "to the latest move (End)", "End", () => this.show(Infinity)],
                   ["flip", "turn the board (f)", "f", () => this.flip()]];
    document.addEventListener("keydown", (event) => {
      const tool = event.ctrlKey || event.metaKey || event.altKey ? undefined
        : tools.find(([, , key]) => key === event.key);
      if (!tool || event.target.matches("input, select")) return;
      event.preventDefault();
      tool[3]();
    });
    return html("p", { class: "steps" }, ...tools.map(([sign, label, , action]) => {
      const button = html("button", { title: label, "aria-label": label }, sign);
      button.addEventListener("click", action);
      return button;
    }));
  }

  // ---- around it ----

  showLinks() {
    const { ended_unix_s: ended, earlier, later, id } = this.game;
    if (!this.isOver) return;
    const at = ended * 1000, link = (game, text) => game ? [html("a", { href: `/game/${game}` }, text)] : [];
    this.links.replaceChildren(...[
      ended ? [html("time", { datetime: new Date(at).toISOString() }, dateText(at))] : [],
      [html("a", { class: "pgn", href: `/pgn/${id}`, download: `${id}.pgn` }, "PGN")],
      link(earlier, "← game before"), link(later, "game after →")].flatMap((part) => part.length ? [" ", ...part] : []));
  }

  // Of the games that are being played, the one after this one.
  showNext(ids) {
    const others = ids.filter((id) => id !== this.id);
    const next = others[ids.indexOf(this.id)] ?? others[0];
    this.links.replaceChildren(...(next ? [html("a", { class: "next", href: `/game/${next}` }, "next game →")] : []));
    if (this.isOver) this.showLinks();
  }
}

// ---- what an analysis found ----

// How many of them play the move, and what most of them play.
function peopleText(people) {
  return `it ${Math.round(people.percent)} %, ${people.first} ${Math.round(people.first_percent)} %`;
}

// The same of our level, when we moved; and the move that people talked us out of.
function levelText(people) {
  const other = people.searched && people.searched !== people.first ? `, the search alone ${people.searched}` : "";
  return `of our level ${peopleText(people)}${other}`;
}

export function analysisSection(analysis) {
  const sums = [
    analysis.accuracy ? `Accuracy: White ${analysis.accuracy.white} %, Black ${analysis.accuracy.black} %.` : "",
    analysis.lost_by ? `We lost by ${analysis.lost_by}.` : "",
    "What a move lost is in percent of its side's winning chances."];
  const columns = [["move", (loss) => loss.move + loss.mark], ["before", (loss) => loss.before, "n"],
                   ["after", (loss) => loss.after, "n"], ["lost", (loss) => `${loss.lost} %`, "n"],
                   ["by", (loss) => loss.cause], ["best", (loss) => loss.best]];
  const people = analysis.losses.find((loss) => loss.people)?.people;
  if (people) columns.push([`${people.rating}s play`, (loss) => (loss.people ? peopleText(loss.people) : "")]);
  return html("section", { class: "analysis" }, html("h2", {}, "Analysis"),
    html("p", {}, sums.filter(Boolean).join(" ")),
    analysis.losses.length ? table(columns, analysis.losses, "losses") : html("p", {}, "No move lost points."));
}
