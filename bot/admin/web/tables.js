// SPDX-License-Identifier: GPL-3.0-or-later
// Tables, whose rows a click on a heading sorts.
import { html } from "./dom.js";

const valueOf = (cell) => cell === undefined || cell === null ? "" : cell;

function order(a, b) {
  const [x, y] = [a, b].map((text) => Number.parseFloat(text));
  return Number.isNaN(x) || Number.isNaN(y) ? String(a).localeCompare(String(b)) : x - y;
}

function sort(body, column, heading, headings) {
  const isDown = heading.getAttribute("aria-sort") !== "descending";
  for (const other of headings) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", isDown ? "descending" : "ascending");
  const rows = [...body.rows];
  rows.sort((a, b) => order(...[a, b].map((row) => row.cells[column].textContent)) * (isDown ? -1 : 1));
  body.replaceChildren(...rows);
}

// `columns`: [heading, row → text or element, class]; with `isSorted` the headings are buttons.
export function table(columns, rows, name, isSorted = false) {
  const body = html("tbody", {}, ...rows.map((row) => html("tr", {}, ...columns.map(([, cell, style]) =>
    html("td", { class: typeof style === "function" ? style(row) : style }, valueOf(cell(row)))))));
  const headings = columns.map(([heading, , style]) => html("th", { scope: "col", class: style === "n" ? style : undefined }, isSorted ? "" : heading));
  if (isSorted)
    headings.forEach((heading, i) => {
      const button = html("button", {}, columns[i][0]);
      button.addEventListener("click", () => sort(body, i, heading, headings));
      heading.append(button);
    });
  return html("div", { class: `wide ${name}` }, html("table", {}, html("thead", {}, html("tr", {}, ...headings)), body));
}
