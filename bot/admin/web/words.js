// SPDX-License-Identifier: GPL-3.0-or-later
// Games, players, scores and results in words. game_json.h says what the members are.

export const sides = ["white", "black"];
export const otherSide = (side) => side === "white" ? "black" : "white";
const capital = (side) => side === "white" ? "White" : "Black";

export const isScored = (score) => score?.cp !== undefined || score?.mate !== undefined;

export function scoreText(score) {
  if (!isScored(score)) return "";
  if (score.mate !== undefined) return `#${score.mate}`;
  return (score.cp < 0 ? "" : "+") + (score.cp / 100).toFixed(2);
}

// White's, 0 to 1. After: Lichess, "Lichess Accuracy metric", lichess.org/page/accuracy.
export function chances(score) {
  if (score.mate !== undefined) return score.mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-0.00368208 * (score.cp || 0)));
}

// "12. Nf3 Nc6 13. Bb5". `ply`: of the first move; odd ones are White's.
export function lineText(names, ply) {
  return names.map((san, i) => {
    const at = ply + i, number = Math.ceil(at / 2);
    return at % 2 === 1 ? `${number}. ${san}` : i === 0 ? `${number}… ${san}` : san;
  }).join(" ");
}

// What is added to a ply's number where Black began.
export const firstPly = (game) => (game.initial_fen || "").includes(" b ") ? 1 : 0;

export const latestText = (game) =>
  game.last_san && game.plies > 0 ? lineText([game.last_san], game.plies + firstPly(game)) : "";

export const playerText = (player) =>
  [player.title, player.name || "anonymous", player.ai ? `level ${player.ai}` : ""].filter(Boolean).join(" ");

const variants = { chess960: "Chess960", fromPosition: "from position", kingOfTheHill: "King of the Hill",
                   threeCheck: "three-check", racingKings: "racing kings" };
export const variantText = (variant) => variants[variant] ?? variant;

export function timeText(game) {
  if (game.initial_s !== undefined) return `${Number((game.initial_s / 60).toFixed(2))}+${game.increment_s}`;
  return game.days_per_turn ? `${game.days_per_turn} d a move` : "";
}

// "blitz 3+2, rated"
export function kindText(game) {
  const variant = game.variant === "standard" ? "" : variantText(game.variant);
  return [variant, game.speed, timeText(game)].filter(Boolean).join(" ") + (game.rated ? ", rated" : ", casual");
}

const wins = {
  mate: () => "by checkmate", outoftime: () => "on time", variantEnd: () => "by the variant's rules",
  resign: (loser) => `as ${loser} resigned`, timeout: (loser) => `as ${loser} left`,
  noStart: (loser) => `as ${loser} did not move`, cheat: (loser) => `as ${loser} cheated`,
};
const draws = {
  stalemate: "drawn by stalemate", outoftime: "drawn: out of time against too little material",
  insufficientMaterialClaim: "drawn: too little material", timeout: "drawn: a player left",
};

// How a game ended: "White won on time".
export function resultText({ result, status }) {
  if (result === "1-0" || result === "0-1") {
    const winner = result === "1-0" ? "white" : "black", how = wins[status]?.(capital(otherSide(winner)));
    return `${capital(winner)} won${how ? ` ${how}` : ""}`;
  }
  if (result === "1/2-1/2") return draws[status] ?? "drawn";
  return status === "noStart" ? "nobody moved" : status;
}

export const countText = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
