// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of one game, a place for each ply: White's chances, and the time of each move.
import { secondsText } from "./clock.js";
import { svg } from "./dom.js";
import { chances, firstPly, isScored, scoreText } from "./words.js";

export class Curve {
  // `onPick`: called with the ply where somebody clicks.
  constructor(name, onPick) {
    this.cursor = svg("rect", { class: "cursor", width: 1, height: 100, x: 0 });
    this.element = svg("svg", { class: `curve ${name}`, preserveAspectRatio: "none", role: "img" });
    this.element.addEventListener("click", (event) => {
      const box = this.element.getBoundingClientRect();
      onPick(Math.ceil((event.clientX - box.left) / box.width * this.count));
    });
  }

  draw(count, label, ...parts) {
    this.count = Math.max(count, 1);
    this.element.setAttribute("viewBox", `0 0 ${this.count} 100`);
    this.element.setAttribute("aria-label", label);
    this.element.replaceChildren(...parts,
      svg("line", { class: "middle", x1: 0, x2: this.count, y1: 50, y2: 50 }), this.cursor);
  }

  mark(ply) { this.cursor.setAttribute("x", Math.max(0, ply - 0.5)); }
}

// White's chances after each move that has an evaluation; an analysis has them all. Before the first
// one the game is even, after the last one it stays as that was.
export function drawEvals(curve, { moves, analysis }) {
  const known = moves.filter(isScored);
  const values = moves.map((move, i) => analysis ? analysis.percent[i] : isScored(move) ? 100 * chances(move) : null);
  const points = values.flatMap((value, i) => value === null || value === undefined ? []
    : [[i + 0.5, 100 - value]]);
  const count = Math.max(moves.length, 1), end = points.at(-1)?.[1] ?? 50;
  const line = [[0, 50], ...points, [count, end]].map(([x, y]) => `${x},${y.toFixed(1)}`);
  const label = known.length === 0 ? "no evaluation of the game"
    : `evaluation for White over the game: from ${scoreText(known[0])} to ${scoreText(known.at(-1))}`;
  curve.draw(count, label, svg("rect", { class: "black", width: count, height: 100 }),
    svg("polygon", { class: "white", points: `0,100 ${line.join(" ")} ${count},100` }));
}

// Each move's time as a bar: White's upwards, Black's downwards.
export function drawTimes(curve, game, used) {
  const most = Math.max(1, ...used.map((ms) => ms ?? 0)), first = firstPly(game);
  const label = used.some((ms) => ms !== undefined) ? `time used for a move: ${secondsText(most)} at most`
    : "no times of the game";
  curve.draw(used.length, label, ...used.flatMap((ms, i) => {
    const height = 50 * (ms ?? 0) / most, isWhite = (i + first) % 2 === 0;
    return ms === undefined ? [] : [svg("rect", { class: isWhite ? "white" : "black",
      x: i + 0.1, width: 0.8, y: isWhite ? 50 - height : 50, height })];
  }));
}
