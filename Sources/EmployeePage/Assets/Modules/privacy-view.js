// The view of the privacy notice, and of who looked.

import { button, make, render, speak } from "./elements.js";
import { load, section, waitNote } from "./loading.js";
import { request } from "./requests.js";
import { openSheet } from "./sheets.js";
import { state } from "./state.js";
import { dayAndTime, text } from "./texts.js";
import { go } from "./tools.js";

// The actions of the audit log that show data of the employee to somebody.
const looking = ["track_viewed", "track_exported", "map_viewed", "employee_exported"];

export function privacyView() {
  const notice = load("privacy notice", "/v1/me/privacy-notice");
  const audit = load("audit", `/v1/me/audit?limit=100&action=${looking.join()}`);
  return [
    make("h1", {}, text("privacy")),
    notice.body?.version && !notice.body.readAt && make("p", {}, text("readFirst")),
    make("h2", {}, text("privacyNotice")), noticeText(notice),
    section("whoLooked", looks(audit), audit.body ? "nobodyLooked" : audit.error || "wait"),
  ];
}

function noticeText(loading) {
  if (!loading.body) return waitNote(loading);
  const { version: number, text: words, readAt, createdAt } = loading.body;
  if (!number) return make("p", { class: "aside" }, text("noNotice"));
  return make("section", { class: "card" },
    words.split(/\n+/).map((paragraph) => make("p", {}, paragraph)),
    make("p", { class: "aside" }, text("noticeOf"), " ", dayAndTime(createdAt)),
    readAt ? make("p", { class: "aside" }, text("readAt"), " ", dayAndTime(readAt))
      : button("confirmRead", () => confirmNotice(number), { class: "main", id: "confirm-read" }));
}

async function confirmNotice(number) {
  try {
    const { status } = await request("POST", "/v1/me/privacy-notice", { version: number });
    if (status >= 300) throw new Error(`privacy notice: ${status}`);
    delete state.loaded["privacy notice"];
    state.noticesRead += 1;
    speak(text("saved"));
    if (state.isNoticeDue) go("/");
    state.isNoticeDue = false;
  } catch {
    await openSheet(text("notSaved"), [], [[text("close"), null]]);
  }
  render();
}

function looks({ body }) {
  return (body?.entries || []).map((entry) => [
    make("b", {}, `${dayAndTime(entry.at)} · ${entry.by}`),
    make("span", {}, text(`audit_${entry.action}`), entry.reason ? ` “${entry.reason}”` : ""),
  ]);
}
