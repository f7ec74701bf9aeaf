// SPDX-License-Identifier: GPL-3.0-or-later
// Positions and how they are drawn. A position is 64 letters or "", a8 first; "Q~" was a pawn.
import { svg } from "./dom.js";
import { otherSide } from "./words.js";

const FILES = "abcdefgh";
const KINDS = "kqrbnp";
const VALUES = { q: 9, r: 5, b: 3, n: 3, p: 1 };

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

export function boardOf(placement) {
  const squares = [];
  for (const c of placement.split(/[ [\]]/)[0].replaceAll("/", "").match(/[a-z]~?|\d/gi))
    squares.push(...(c >= "1" && c <= "8" ? Array(Number(c)).fill("") : [c]));
  return squares;
}

const isWhite = (letter) => letter < "a";
const squareOf = (name) => FILES.indexOf(name[0]) + 8 * (8 - Number(name[1]));
const nameOf = (square) => FILES[square % 8] + (8 - Math.floor(square / 8));

// The moves are legal, so only what moves besides the piece itself needs a thought.
export function played(before, uci) {
  const board = before.slice();
  const from = squareOf(uci), to = squareOf(uci.slice(2));
  const piece = board[from], target = board[to], kind = piece.toLowerCase();
  const isOwnRook = target && target.toLowerCase() === "r" && isWhite(target) === isWhite(piece);
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
  board[to] = uci[4] ? (isWhite(piece) ? uci[4].toUpperCase() : uci[4]) : piece;
  return board;
}

// ---- what a side has besides ----

function checksGiven(fen, side) {
  const left = / ([0-3])\+([0-3]) /.exec(fen);
  return left ? 3 - Number(left[side === "white" ? 1 : 2]) : 0;
}

const worth = (board, side) => board.reduce((sum, letter) =>
  sum + (letter && isWhite(letter) === (side === "white") ? VALUES[letter[0].toLowerCase()] ?? 0 : 0), 0);

// Men in hand, the checks that it has given, or how much more material it has.
export function besideBoard(fen, board, side) {
  const pocket = /\[(\w*)\]/.exec(fen), checks = checksGiven(fen, side);
  if (pocket)
    return [...pocket[1]].filter((letter) => isWhite(letter) === (side === "white"))
      .map((letter) => "♛♜♝♞♟"["qrbnp".indexOf(letter.toLowerCase())]).join("");
  if (checks > 0) return checks === 1 ? "1 check" : `${checks} checks`;
  const more = worth(board, side) - worth(board, otherSide(side));
  return more > 0 ? `+${more}` : "";
}

// ---- in words, for those who do not see it ----

function menText(board, side) {
  const men = [...KINDS].flatMap((kind) => board.flatMap((letter, square) =>
    letter && letter[0].toLowerCase() === kind && isWhite(letter) === (side === "white")
      ? [(kind === "p" ? "" : kind.toUpperCase()) + nameOf(square)] : []));
  return men.join(" ") || "nothing";
}

export const boardText = (board, latest) =>
  `White ${menText(board, "white")}; Black ${menText(board, "black")}` + (latest ? `; last move ${latest}` : "");

// ---- drawn ----

export class Board {
  constructor(below) {
    this.marks = svg("g", { class: "marks" });
    this.names = svg("g", { class: "names" });
    this.pieces = svg("g", { class: "pieces" });
    this.element = svg("svg", { class: "board", viewBox: "0 0 8 8", role: "img", "aria-label": "an empty board" },
      svg("rect", { class: "light", width: 8, height: 8 }),
      svg("path", { class: "dark", d: darkSquares() }), this.marks, this.names, this.pieces);
    this.turn(below);
  }

  turn(below) {
    this.below = below;
    const isFlipped = below === "black", names = [];
    for (let i = 0; i < 8; i++) {
      const column = isFlipped ? 7 - i : i, row = isFlipped ? i : 7 - i;
      names.push(svg("text", { class: column % 2 ? "on-light" : "on-dark", x: column + 0.92, y: 7.95 }, FILES[i]),
        svg("text", { class: row % 2 ? "on-dark" : "on-light", x: 0.14, y: row + 0.22 }, String(i + 1)));
    }
    this.names.replaceChildren(...names);
    if (this.board) this.show(this.board, this.last, this.latest);
  }

  at(square) {
    const shown = this.below === "black" ? 63 - square : square;
    return { x: shown % 8, y: Math.floor(shown / 8), width: 1, height: 1 };
  }

  // `last`: the last move in UCI; `latest`: in words.
  show(board, last, latest) {
    const marks = (last || "").length < 4 ? [] : [last, last.slice(2)].slice(last[1] === "@" ? 1 : 0);
    const what = `${board} ${last} ${this.below}`;
    Object.assign(this, { board, last, latest });
    if (what === this.drawn) return;
    this.drawn = what;
    this.element.setAttribute("aria-label", boardText(board, latest));
    this.pieces.replaceChildren(...board.flatMap((letter, square) => letter ? [svg("use", {
      class: (isWhite(letter) ? "w" : "b") + (letter[1] ? " promoted" : ""),
      href: "#" + letter[0].toLowerCase(), ...this.at(square) })] : []));
    this.marks.replaceChildren(
      ...marks.map((name) => svg("rect", { class: "last", ...this.at(squareOf(name)) })));
  }
}

// Every second one: a1 is dark from either side.
function darkSquares() {
  let path = "";
  for (let row = 0; row < 8; row++)
    for (let column = 1 - row % 2; column < 8; column += 2) path += `M${column} ${row}h1v1h-1z`;
  return path;
}
