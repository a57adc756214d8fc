// Sheets over the page: the explanation before the browser's dialog, and the steps of remedies.

import { list, make } from "./elements.js";
import { noteEvent, onScreen } from "./events.js";
import { judgesPlace } from "./place.js";
import { state } from "./state.js";
import { stored } from "./storage.js";
import { text } from "./texts.js";
import { byId } from "./tools.js";

// Answers the sheet that is open, if any: a new one takes its place.
let dismiss = () => {};

// Shows a sheet over the page. Resolves with the chosen value, or null when it was dismissed: then
// everything is as before, and so is the focus.
export function openSheet(title, content, choices) {
  const sheet = byId("sheet");
  const before = document.activeElement.id;
  delete sheet.dataset.finding;
  dismiss();
  return new Promise((resolve) => {
    dismiss = () => resolve(null);
    let chosen = null;
    const choose = (value) => {
      chosen = value;
      sheet.close();
    };
    const buttons = choices.map(([label, value, isMain]) => make("button",
      { type: "button", class: isMain && "main", onclick: () => choose(value) }, label));
    sheet.replaceChildren(
      // With the focus on a button below, a long sheet would open at its end.
      make("h2", { id: "sheet-title", tabindex: "-1", autofocus: true }, title), ...content,
      make("p", { class: "actions" }, buttons));
    sheet.onclose = () => {
      // The element that opened the sheet may have been drawn again.
      if (before) byId(before)?.focus();
      resolve(chosen);
    };
    if (!sheet.open) sheet.showModal();
    sheet.scrollTop = 0;
  });
}

// True when the employee wants to go on to the browser's dialog.
export async function explain() {
  const explanation = state.guidance?.explanation || state.texts.explanation;
  const { title, why, benefits, platformNotes, proceed, later } = explanation;
  const content = [
    make("p", {}, why), list("ul", benefits), judgesPlace() && make("p", {}, text("placeWhy")),
    ...platformNotes.map((note) => make("p", {}, note)),
  ].filter(Boolean);
  onScreen(() => noteEvent("explanation_shown"));
  const goesOn = await openSheet(title, content, [[proceed, true, true], [later, null]]);
  if (goesOn) stored.set("hasExplained", true);
  return goesOn;
}

// A page cannot open the settings. What it knows is that the employee reads the way there.
export function showSteps(remedies) {
  const leadsToSettings = ({ finding, action }) =>
    finding === "denied" && action === "follow_steps";
  if (remedies.some(leadsToSettings)) noteEvent("settings_opened");
  const closed = openSheet(text("whatToDo"), remedies.map(remedyText), [[text("close"), null]]);
  if (remedies.length) byId("sheet").dataset.finding = remedies[0].finding;
  return closed;
}

// The steps to what is over would be untrue.
export function closeOldSteps(remedies) {
  const sheet = byId("sheet");
  const { finding } = sheet.dataset;
  if (sheet.open && finding && !remedies.some((one) => one.finding === finding)) sheet.close();
}

export const remedyText = ({ title, why, steps, severity }) => make(
  "section", { class: `remedy ${severity}` }, make("h3", {}, title), make("p", {}, why),
  list("ol", steps));
