// What views have in common that show lists from the server.

import { list, make, render } from "./elements.js";
import { request } from "./requests.js";
import { state } from "./state.js";
import { text } from "./texts.js";

// Loads what a view shows, once until the view is opened again.
export function load(name, path) {
  const entry = state.loaded[name];
  if (entry) return entry;
  const loading = {};
  state.loaded[name] = loading;
  request("GET", path).then(
    ({ status, body }) => Object.assign(loading, status < 300 ? { body } : { error: "notThere" }),
    () => Object.assign(loading, { error: "noNetwork" })).then(render);
  return loading;
}

export const waitNote = ({ error }) => make("p", { class: "aside" }, text(error || "wait"));

export const section = (key, rows, none) => make("section", {}, make("h2", {}, text(key)),
  rows.length ? list("ul", rows, { class: "rows" }) : make("p", { class: "aside" }, text(none)));
