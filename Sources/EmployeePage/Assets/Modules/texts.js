// The texts of the page in the language of the employee, and times and durations in words.

import { state } from "./state.js";
import { stored } from "./storage.js";
import { byId, instant, second } from "./tools.js";

const languages = [...byId("language").options].map((option) => option.value);
export let language = "en";

export const text = (key) => state.texts?.page[key] ?? "";

// What a finding, an interruption or the reason of a gap is called.
export const findingTitle = (code) =>
  state.texts.findings.find((finding) => finding.code === code)?.title || text(`reason_${code}`);

function preferredLanguage() {
  const wanted = [stored.get("language"), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find((code) => languages.includes(code)) || "en";
}

export async function loadTexts(wanted) {
  const response = await fetch(`/app/texts/${wanted}.json`);
  if (!response.ok) throw new Error(`texts: ${response.status}`);
  state.texts = await response.json();
  language = wanted;
  document.documentElement.lang = wanted;
  byId("language").value = wanted;
  byId("language-label").textContent = text("language");
}

// Offline, any language is better than none.
export async function loadSomeTexts() {
  for (const wanted of [preferredLanguage(), ...languages]) {
    try { return await loadTexts(wanted); } catch { /* The next one may be kept. */ }
  }
  byId("main").textContent = document.documentElement.dataset.noTexts;
}

// The employee's own form of the chosen language, such as en-GB: it says 20:00 and not 8 PM.
const locale = () => navigator.languages.find((tag) => tag.split("-")[0] === language)
  || (language === "en" ? "en-GB" : language);

export const format = (time, options) =>
  new Intl.DateTimeFormat(locale(), options).format(new Date(time));

// The offset of a time that the clock shows twice, such as +02:00.
const offset = (time) => {
  const east = (at) => -new Date(at).getTimezoneOffset();
  const here = east(time);
  const isTwice = [-60, -30, 30, 60].some((minutes) =>
    here - east(new Date(time).getTime() + minutes * 60 * second) === minutes);
  const [hours, minutes] = [Math.abs(here) / 60, Math.abs(here) % 60].map((number) =>
    String(Math.floor(number)).padStart(2, "0"));
  return isTwice ? `${here < 0 ? "-" : "+"}${hours}:${minutes}` : "";
};

const minute = 60 * second;

// A time as the field of a form has it, in local time and to the minute.
export const fieldText = (time) =>
  instant(new Date(time) - new Date(time).getTimezoneOffset() * minute).slice(0, 16);

// What a typed local time may mean: two times where the clock is set back over it, and none where
// it is set forward: then the last minute before that and the first after it are its neighbours.
export function typedTimes(typed) {
  const near = new Date(typed).getTime();
  const times = [-60, -30, 0, 30, 60].map((minutes) => near + minutes * minute)
    .filter((time) => fieldText(time) === typed);
  if (times.length) return { times, neighbours: [] };
  let after = near;
  while (fieldText(after - minute) > typed) after -= minute;
  return { times, neighbours: [after - minute, after] };
}

// With the weekday unless it is that of `day`, such as Sat 06:00.
export const clockTime = (time, day = time) => format(time, {
  weekday: new Date(time).toDateString() === new Date(day).toDateString() ? undefined : "short",
  hour: "2-digit", minute: "2-digit" }) + offset(time);

export const dayAndTime = (time) =>
  format(time, { weekday: "short", day: "numeric", month: "short", hour: "2-digit",
    minute: "2-digit" }) + offset(time);

// With the day unless it is less than a day ago.
export const sinceWhen = (time) =>
  Math.abs(Date.now() - time) < 24 * 3600 * second ? clockTime(time) : dayAndTime(time);

export const span = (from, to, day = from) =>
  `${clockTime(from, day)} – ${to ? clockTime(to, from) : text("now")}`;

// Hours and minutes, such as 7:45 h.
export function duration(milliseconds) {
  const minutes = Math.max(0, Math.round(milliseconds / (60 * second)));
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")} h`;
}
