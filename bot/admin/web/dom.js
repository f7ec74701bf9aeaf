// SPDX-License-Identifier: GPL-3.0-or-later
// Elements. What is foreign becomes a text node or an attribute's value, never markup.

const SVG = "http://www.w3.org/2000/svg";

export const one = (root, selector) => root.querySelector(selector);

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  element.append(...children.filter((child) => child !== undefined && child !== ""));
  return element;
}

export const html = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children);

export const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

// A text that stays as it is does not disturb a reader who listens or selects.
export function setText(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}
