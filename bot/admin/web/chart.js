// SPDX-License-Identifier: GPL-3.0-or-later
// Charts: lines, or bars of parts on top of each other. Below stand the legend and, to be unfolded, the
// numbers. What the chart shows is also said in words.
import { html, svg } from "./dom.js";
import { table } from "./tables.js";

const WIDTH = 360, HEIGHT = 160, LEFT = 36, RIGHT = 6, TOP = 8, BOTTOM = 18, TICKS = 4, DIGIT = 5.2;

const isNumber = (value) => typeof value === "number" && Math.abs(value) < 1e15;

// { low, high, step } of round numbers around the values. What begins at nothing shows sizes; a rating
// does not.
export function scaleOf(low, high, decimals, isFromZero) {
  if (isFromZero) low = Math.min(low, 0);
  const rough = Math.max((high - low) / TICKS, 10 ** -decimals), power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough * 0.999) ?? 10) * power;
  low = Math.floor(low / step) * step;
  return { low, step, high: Math.max(Math.ceil(high / step) * step, low + step) };
}

function axes({ low, high, step }, y, names, decimals) {
  const parts = [], count = Math.round((high - low) / step), width = (WIDTH - LEFT - RIGHT) / names.length;
  for (let i = 0; i <= count; i++) {
    const value = low + i * step;
    parts.push(svg("path", { class: "rule", d: `M${LEFT} ${y(value).toFixed(1)}H${WIDTH - RIGHT}` }),
      svg("text", { x: LEFT - 4, y: (y(value) + 3).toFixed(1), class: "end" }, value.toFixed(step < 1 ? decimals : 0)));
  }
  const longest = Math.max(...names.map((name) => name.length));
  const room = longest * DIGIT + 2;
  const every = Math.ceil(names.length * room / (WIDTH - LEFT - RIGHT));
  names.forEach((name, i) => {
    const x = LEFT + width * (i + (every > 1 ? 0 : 0.5));
    if (i % every === 0 && x + (every > 1 ? room : 0) <= WIDTH)
      parts.push(svg("text", { class: every > 1 ? "start" : "mid", x: x.toFixed(1), y: HEIGHT - 4 }, name));
  });
  return parts;
}

function words(title, series, decimals) {
  const last = series.flatMap(({ name, values }) => {
    const value = values.findLast(isNumber);
    return value === undefined ? [] : [`${name} ${value.toFixed(decimals)} at last`];
  });
  return `${title}: ${last.join(", ")}`;
}

const key = (style, kind) => svg("svg", { class: style, viewBox: "0 0 18 8", "aria-hidden": "true" },
  kind === "bars" ? svg("rect", { width: 18, height: 8 }) : svg("path", { d: "M0 4H18" }));

// chart: { title, place, names, series [{ name, style, values }], kind ("lines", "bars"), decimals,
// isFromZero }. undefined where there is no value at all.
export function chartFigure({ title, place, names, series, kind, decimals = 0, isFromZero = kind === "bars" }) {
  const styles = series.map(({ style }, i) => style ?? `s${i}`);
  const sums = names.map((_, i) => series.reduce((sum, { values }) => sum + (values[i] || 0), 0));
  const all = kind === "bars" ? sums : series.flatMap(({ values }) => values.filter(isNumber));
  if (all.length === 0 || (kind === "bars" && !all.some((value) => value > 0))) return undefined;
  const scale = scaleOf(Math.min(...all), Math.max(...all), decimals, isFromZero);
  const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (scale.high - value) / (scale.high - scale.low);
  const width = (WIDTH - LEFT - RIGHT) / names.length, x = (i) => LEFT + width * (i + 0.5);
  const hint = (i, { name, values }) => svg("title", {}, `${names[i]}: ${name} ${values[i].toFixed(decimals)}`);
  const line = (one, style) => svg("g", { class: style },
    svg("polyline", { points: one.values.flatMap((value, i) =>
      isNumber(value) ? [`${x(i).toFixed(1)},${y(value).toFixed(1)}`] : []).join(" ") }),
    ...one.values.flatMap((value, i) => isNumber(value)
      ? [svg("circle", { cx: x(i).toFixed(1), cy: y(value).toFixed(1), r: 1.8 }, hint(i, one))] : []));
  const bars = names.flatMap((_, i) => {
    let base = 0;
    return series.flatMap((one, at) => {
      const value = one.values[i];
      if (!(value > 0)) return [];
      const top = y(base + value), height = y(base) - top;
      base += value;
      return [svg("rect", { class: styles[at], x: (x(i) - width * 0.42).toFixed(1), y: top.toFixed(1),
                            width: (width * 0.84).toFixed(1), height: height.toFixed(1) }, hint(i, one))];
    });
  });
  const columns = [[place, (i) => names[i]],
    ...series.map(({ name, values }) => [name, (i) => isNumber(values[i]) ? values[i].toFixed(decimals) : "", "n"])];
  return html("figure", {}, html("figcaption", {}, title),
    svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
                 "aria-label": words(title, series, decimals) },
      ...axes(scale, y, names, decimals), ...(kind === "bars" ? bars : series.map((one, i) => line(one, styles[i])))),
    html("p", { class: "legend" }, ...series.flatMap(({ name }, i) =>
      [html("span", {}, key(styles[i], kind), " ", name), " "])),
    html("details", {}, html("summary", {}, "as a table"), table(columns, names.map((_, i) => i), "numbers")));
}
