// SPDX-License-Identifier: GPL-3.0-or-later
// Times as people read them.

const two = (n) => String(n).padStart(2, "0");

// What a clock shows: tenths in its last ten seconds.
export function clockText(ms) {
  const s = Math.max(0, ms) / 1000, whole = Math.floor(s);
  if (whole >= 3600)
    return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  const tenths = s < 10 ? `.${Math.floor(s * 10) % 10}` : "";
  return `${Math.floor(whole / 60)}:${two(whole % 60)}${tenths}`;
}

// How long a move took.
export const secondsText = (ms) => ms < 60000 ? `${(ms / 1000).toFixed(1)} s` : clockText(ms);

// The two largest units: "1 d 1 h".
export function durationText(s) {
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ${Math.floor(s / 60) % 60} min`;
  return `${Math.floor(s / 86400)} d ${Math.floor(s / 3600) % 24} h`;
}

// On the reader's own clock: "2026-11-22 18:00".
export function dateText(unixMs) {
  const at = new Date(unixMs);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ` +
    `${two(at.getHours())}:${two(at.getMinutes())}`;
}
