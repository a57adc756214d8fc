// What the buttons of remedies do.

import { isWebKit } from "./browser.js";
import { render, speak } from "./elements.js";
import { evidence, mayAsk, requestPosition } from "./evidence.js";
import { locateAndPing } from "./pings.js";
import { check } from "./reports.js";
import { blocksEveryPage } from "./rules.js";
import { explain, showSteps } from "./sheets.js";
import { presentShift, tracks } from "./shift.js";
import { state } from "./state.js";
import { stored } from "./storage.js";
import { text } from "./texts.js";
import { second } from "./tools.js";

// What a button can do. The steps are shown for every other action: a page cannot open settings.
export const actions = {
  request_permission: () => askForLocation(),
  send_report: () => askForLocation(),
  send_fix: () => askForLocation(),
};

export async function checkNow() {
  if (state.isChecking) return;
  state.isChecking = true;
  render();
  const before = state.guidance?.banner?.title;
  // WebKit shows no dialog for what was decided; where it asks again, the employee knows why.
  const isPrepared = isWebKit ? stored.get("hasExplained") : !mayAsk();
  if (isPrepared) await requestPosition(10 * second);
  await check("manual");
  state.isChecking = false;
  state.isUnchanged = state.guidance?.banner?.title === before;
  speak(text(state.isUnchanged ? "unchanged" : "checked"));
  render();
}

async function askForLocation() {
  const asks = mayAsk();
  if (asks && blocksEveryPage() && !tracks(presentShift())) return check("request");
  if (asks && !await explain()) return;
  await requestPosition(10 * second, asks);
  await check("request");
  if (evidence().authorization === "denied") showSteps(state.guidance?.remedies || []);
  else if (tracks(presentShift())) locateAndPing();
}
