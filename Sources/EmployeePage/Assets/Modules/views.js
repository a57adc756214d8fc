// Which view is on the screen, and what surrounds it.

import { renderAlerts } from "./alerts.js";
import { renderBanner } from "./banner.js";
import { make } from "./elements.js";
import { enrolmentView } from "./enrolment.js";
import { privacyView } from "./privacy-view.js";
import { shiftsView, shiftView } from "./shifts-view.js";
import { state } from "./state.js";
import { text } from "./texts.js";
import { byId, route } from "./tools.js";
import { workView } from "./work-view.js";

export function drawPage() {
  renderBanner();
  renderAlerts();
  renderTroubles();
  renderMenu();
  byId("name").textContent = state.me?.employee?.name || "ShiftGuard";
  byId("main").replaceChildren(...view().flat().filter(Boolean));
}

function view() {
  if (!state.token || state.isRevoked) return enrolmentView();
  const [, name, number] = route().split("/");
  if (name === "shifts") return number ? shiftView(Number(number)) : shiftsView();
  if (name === "privacy") return privacyView();
  return workView();
}

function renderMenu() {
  const menu = byId("menu");
  menu.hidden = !state.token || state.isRevoked;
  menu.setAttribute("aria-label", text("menu"));
  const entries = [["/", "work"], ["/shifts", "myShifts"], ["/privacy", "privacy"]];
  const current = `/${route().split("/")[1]}`;
  menu.replaceChildren(...entries.map(([path, key]) => make(
    "a", { href: `#${path}`, id: `menu-${key}`, "aria-current": path === current && "page" },
    text(key))));
}

let lastTroubles = "";

function renderTroubles() {
  const { me } = state;
  const skewed = me?.clock?.trust === "wrong" || me?.clock?.trust === "skewed";
  const troubles = [
    state.isOffline ? text("offline") : state.isStuck && text("serverTrouble"),
    state.isFull && text("queueFull"),
    state.cannotStore && text("cannotStore"),
    state.waitingCount > 1 && (state.isOffline || state.isStuck)
      && `${text("waitingRecords")} ${state.waitingCount}`,
    state.deletedCount > 0 && `${text("recordsDeleted")} ${state.deletedCount}`,
    skewed && text("clockOff"),
  ].filter(Boolean);
  // Replaced only when different, or a screen reader would repeat it.
  if (troubles.join() === lastTroubles) return;
  lastTroubles = troubles.join();
  byId("troubles").replaceChildren(...troubles.map((trouble) => make("p", {}, trouble)));
}
