// What views have in common that show lists from the server.

import { list, make, render } from "./elements.js";
import { request } from "./requests.js";
import { state } from "./state.js";
import { text } from "./texts.js";

// Loads what a view shows, once until the view is opened again.
export function load(name, path) {
  const entry = state.loaded[name];
  if (entry) return entry;
  state.loaded[name] = {};
  read(state.loaded[name], path);
  return state.loaded[name];
}

// Loads it again, as far as that works, if `isOpen` says that it may have changed.
export function loadAgain(name, path, isOpen) {
  const loading = state.loaded[name];
  if (loading?.body && isOpen(loading.body)) read(loading, path);
}

const read = (loading, path) => request("GET", path).then(
  ({ status, body }) => Object.assign(loading, status < 300 ? { body } : { error: "notThere" }),
  () => Object.assign(loading, { error: "noNetwork" })).then(render);

export const waitNote = ({ error }) => make("p", { class: "aside" }, text(error || "wait"));

export const section = (key, rows, none) => make("section", {}, make("h2", {}, text(key)),
  rows.length ? list("ul", rows, { class: "rows" }) : make("p", { class: "aside" }, text(none)));
