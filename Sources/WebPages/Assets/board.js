// The open board: rows that have changed are reloaded, and what was switched on in this browser
// says that somebody needs attention. Without this script the board is complete, but stays as it is.
"use strict";

const board = document.getElementById("board");
const find = (id) => document.getElementById(id);

// A browser may refuse to store anything; then a choice lasts as long as the page.
const unstored = new Map();
const stored = {
  get(name) {
    try {
      return unstored.get(name) ?? JSON.parse(localStorage.getItem(`shiftguard.board.${name}`));
    } catch {
      return null;
    }
  },
  set(name, value) {
    unstored.delete(name);
    try {
      localStorage.setItem(`shiftguard.board.${name}`, JSON.stringify(value));
    } catch {
      unstored.set(name, value);
    }
  },
};

const say = (text) => { find("said").textContent = text; };

// The rows. A stream names the employees whose rows have changed.
const ranks = "inxlkctzdf";
const wanted = new Set();
let everybody = false;
let timer = 0;
let fetching = false;

const rank = (row) => ranks.indexOf(row.classList[0]);

const name = (row) => row.querySelector("a").textContent;

// By rank, then by name, as in a new page.
const place = (row, list) => {
  const next = [...list.children].find((other) => other !== row && (rank(other) > rank(row)
    || rank(other) === rank(row) && name(other) > name(row)));
  list.insertBefore(row, next ?? null);
};

const replace = (old, row) => {
  const hadFocus = old.contains(document.activeElement);
  const changed = rank(old) !== rank(row);
  old.replaceWith(row);
  if (changed) place(row, row.parentElement);
  if (hadFocus) row.querySelector("a")?.focus({ preventScroll: true });
  return changed;
};

const LATE = ranks.indexOf("l");

// Teams with problems come first, as in a new page; each part is by number.
const placeTeams = () => {
  const focused = document.activeElement;
  const key = (team) => {
    const list = team.querySelector(".employees");
    const hasProblem = list.firstElementChild && rank(list.firstElementChild) <= LATE;
    return [hasProblem ? 0 : 1, Number(list.id.slice("ul-".length))];
  };
  const teams = [...board.querySelectorAll(".team")].map((team) => [...key(team), team]);
  const sorted = teams.toSorted(([part, number], [otherPart, otherNumber]) =>
    part - otherPart || number - otherNumber);
  if (sorted.every(([, , team], place) => team === teams[place][2])) return;
  for (const [, , team] of sorted) find("live").before(team);
  if (document.activeElement !== focused) focused.focus({ preventScroll: true });
};

const words = (row) =>
  ["a", "b", "p"].map((part) => row.querySelector(part).textContent.trim()).join(", ");

// An element of the new page in place of the old one. An instance of the version before sends none
// of the newer elements.
const swap = (id, page) => {
  const [old, element] = [find(id), page.getElementById(id)];
  if (!old || !element) return;
  const focused = old.contains(document.activeElement) && document.activeElement;
  const link = focused && focused.getAttribute("href");
  old.replaceWith(element);
  if (focused === old) element.focus();
  else if (link) element.querySelector(`a[href="${CSS.escape(link)}"]`)?.focus();
};

const show = (page, asked) => {
  const said = [];
  for (const list of page.querySelectorAll("ul.employees")) {
    const here = find(list.id);
    for (const row of [...list.children]) {
      const old = find(row.id);
      if (old ? replace(old, row) : here && (place(row, here), true)) {
        row.classList.add("new");
        said.push(words(row));
      }
    }
  }
  const gone = asked ?? [...board.querySelectorAll(".employees > li")].map((row) => row.id);
  for (const id of gone) {
    if (!page.shown.has(id)) find(id)?.remove();
  }
  for (const team of board.querySelectorAll(".team")) {
    team.hidden = !team.querySelector(".employees").children.length;
  }
  placeTeams();
  const { axis } = find("heading").dataset;
  for (const hours of page.querySelectorAll("svg.hours[id]")) find(hours.id)?.replaceWith(hours);
  for (const id of ["heading", "states", "age", "folded", "reviews"]) swap(id, page);
  // All other rows still have the axis before.
  if (asked && axis !== find("heading").dataset.axis) all();
  find("live").textContent = said.slice(0, 5).join(". ");
  loadedAt = Date.now();
  ageText = find("age").textContent;
  checkProblems();
};

// The age of what is shown; `ago` is in the script of all pages, like `registerWorker`. A board that
// is not up to date shows a warning at the top.
let loadedAt = Date.now();
let ageText = find("age").textContent;
const lost = find("lost");
const plainTitle = document.title.replace(/^\(\d+\) /, "");

const showAge = () => {
  const text = `${ageText.replace(/\.$/, "")}, ${ago(loadedAt)}.`;
  find("age").textContent = Date.now() - loadedAt > 90000 ? text : ageText;
  lost.lastElementChild.textContent = lost.hidden ? "" : text;
};

const setTitle = () => {
  const count = problems().length;
  document.title = (lost.hidden ? count ? `(${count}) ` : "" : "(!) ") + plainTitle;
};

const warn = () => {
  if (!lost.hidden) return;
  lost.hidden = false;
  lost.firstElementChild.textContent = "Connection lost: this board is not up to date.";
  showAge();
  setTitle();
};

const calm = () => {
  lost.hidden = true;
  lost.firstElementChild.textContent = "";
  showAge();
  setTitle();
};

const look = async () => {
  timer = 0;
  if (fetching) return soon();
  fetching = true;
  const asked = everybody ? null : [...wanted];
  everybody = false;
  wanted.clear();
  try {
    const address = new URL(location.href);
    address.searchParams.set("fragment", "rows");
    if (asked) address.searchParams.set("employees", asked.join(","));
    const answer = await fetch(address, { redirect: "manual", signal: AbortSignal.timeout(10000) });
    if (answer.type === "opaqueredirect" || answer.status === 401) return location.reload();
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    page.shown = new Set([...page.querySelectorAll("ul.employees > li")].map((row) => row.id));
    show(page, asked?.map((number) => `e${number}`));
    if (!stream || stream.readyState === EventSource.OPEN) calm();
  } catch {
    warn();
    everybody = true;
    setTimeout(soon, 2000 + 3000 * Math.random());
  } finally {
    fetching = false;
  }
};

const soon = () => { timer ||= setTimeout(look, 50); };
const all = () => { everybody = true; soon(); };

const stream = board.dataset.events && new EventSource(board.dataset.events);
if (stream) {
  stream.addEventListener("changed", (event) => {
    for (const number of event.data.match(/\d+/g) ?? []) wanted.add(number);
    soon();
  });
  stream.addEventListener("resync", all);
  let broken = false;
  stream.onerror = () => {
    broken = true;
    warn();
  };
  stream.onopen = () => { if (broken) all(); broken = false; };
}
addEventListener("offline", warn);
addEventListener("online", all);
// Bars grow with time, and this also covers a failing stream.
setInterval(() => { if (!document.hidden || isAlerting()) all(); }, 60000);
setInterval(showAge, 10000);

// Problems. A notification or a sound says how many employees need attention, with the team and the
// kind of problem, and nothing else.
const kinds = { i: "not tracked", n: "no contact", x: "blocked", l: "late" };
const entry = new RegExp(`(\\d+)([${Object.keys(kinds).join("")}])(\\d+)`, "g");
// A problem that comes back within this time is a flicker.
const FLICKER_MAX = 10 * 60000;
const lastSeen = new Map();
const tag = "shiftguard-board";

const problems = () => [...(find("heading").dataset.problems ?? "").matchAll(entry)]
  .map(([, employee, kind, team]) => ({ employee, kind, team }));

let current = problems();

const checkProblems = () => {
  const present = Date.now();
  for (const { employee } of current) lastSeen.set(employee, present);
  current = problems();
  const fresh = current.filter(({ employee }) =>
    !lastSeen.has(employee) || present - lastSeen.get(employee) > FLICKER_MAX);
  for (const { employee } of current) lastSeen.set(employee, present);
  setTitle();
  if (fresh.length) {
    notify(fresh);
    beep();
  } else if (!current.length) {
    closeNotifications();
  }
};

const summary = (fresh) => {
  const counts = new Map();
  for (const { team, kind } of fresh) {
    const key = `${find(`team-${team}`)?.textContent ?? "Team"}: ${kinds[kind]}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const lines = [...counts].map(([key, count]) => (count > 1 ? `${key} (${count})` : key));
  return lines.slice(0, 4).join("\n") + (lines.length > 4 ? "\n…" : "");
};

const registered = async () => navigator.serviceWorker?.getRegistration(alertWorker);

// Nobody who is looking at the board needs one.
const notify = async (fresh) => {
  if (!isNotifying() || !document.hidden && document.hasFocus()) return;
  const count = current.length;
  const title = `${count} employee${count > 1 ? "s need" : " needs"} attention`;
  try {
    await (await registered()).showNotification(title, {
      body: summary(fresh), tag, renotify: true, data: location.href,
    });
  } catch {
    say("The notification could not be shown.");
  }
};

const closeNotifications = async () => {
  for (const old of await (await registered())?.getNotifications({ tag }) ?? []) old.close();
};

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  all();
  closeNotifications();
});

const isNotifying = () =>
  stored.get("notify") === true && "Notification" in window && Notification.permission === "granted";
const isAlerting = () => isNotifying() || stored.get("sound") === true;

const notifyButton = find("notify");
const soundButton = find("sound");

const showSwitches = () => {
  notifyButton.setAttribute("aria-pressed", isNotifying());
  soundButton.setAttribute("aria-pressed", stored.get("sound") === true);
};

const switchOn = async () => {
  if (await Notification.requestPermission() !== "granted") {
    return say("This browser blocks notifications. Allow them for this site in its settings.");
  }
  await registerWorker();
  stored.set("notify", true);
  say("Alerts are on while this board is open, also in the background.");
};

// Only over HTTPS, and not in every browser.
if ("Notification" in window && navigator.serviceWorker) {
  notifyButton.hidden = false;
  notifyButton.addEventListener("click", async () => {
    try {
      if (isNotifying()) {
        stored.set("notify", false);
        closeNotifications();
        say("Alerts are off.");
      } else {
        await switchOn();
      }
    } catch {
      say("Alerts could not be switched on.");
    }
    showSwitches();
  });
  if (isNotifying()) registerWorker().catch(() => say("Alerts could not be switched on."));
}

// Two short tones. A browser plays nothing before the first click or key.
let audio = null;
const beep = () => {
  if (stored.get("sound") !== true || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  audio.resume();
  for (const [start, pitch] of [[0, 660], [0.18, 880]]) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = pitch;
    volume.gain.value = 0.15;
    tone.connect(volume).connect(audio.destination);
    tone.start(audio.currentTime + start);
    tone.stop(audio.currentTime + start + 0.14);
  }
};

soundButton.addEventListener("click", () => {
  const isOn = stored.get("sound") !== true;
  stored.set("sound", isOn);
  beep();
  say(isOn ? "Sound is on." : "Sound is off.");
  showSwitches();
});

if (stored.get("sound") === true && !navigator.userActivation?.hasBeenActive) {
  say("The sound works after your first click or key on this page.");
  for (const event of ["pointerdown", "keydown"]) {
    addEventListener(event, () => { if (find("said").textContent.startsWith("The sound")) say(""); },
      { once: true });
  }
}

// Saved filters: names for addresses of the board, in this browser.
const FILTERS_MAX = 20;
const naming = find("naming");
const field = find("filter");
const saveButton = find("save");

// The filter in an address, in one order and without what is empty.
const normalized = (search) => {
  const pairs = [...new URLSearchParams(search)]
    .filter(([key, value]) => ["team", "state", "q"].includes(key) && value.trim());
  return new URLSearchParams(pairs.sort()).toString();
};

const present = normalized(location.search);
const filters = () => {
  const list = stored.get("filters");
  const isFilter = (one) => typeof one?.name === "string" && typeof one.query === "string";
  return Array.isArray(list) ? list.filter(isFilter).slice(0, FILTERS_MAX) : [];
};

const element = (kind, properties, ...children) => {
  const made = Object.assign(document.createElement(kind), properties);
  made.append(...children);
  return made;
};

const showFilters = () => {
  const list = filters();
  find("saved").replaceChildren(...list.map(({ name, query }) => {
    const link = element("a", { href: `/?${normalized(query)}`, textContent: name });
    if (normalized(query) === present) link.setAttribute("aria-current", "true");
    const button = element("button", { type: "button", textContent: "×", className: "quiet" });
    button.setAttribute("aria-label", `Delete the filter ${name}`);
    button.addEventListener("click", () => {
      stored.set("filters", filters().filter((one) => one.name !== name));
      showFilters();
      say(`Filter ${name} deleted.`);
      (find("saved").querySelector("a") ?? find("q")).focus();
    });
    return element("li", {}, link, button);
  }));
  const isSaved = list.some(({ query }) => normalized(query) === present);
  saveButton.hidden = !present || isSaved || !naming.hidden;
};

const openNaming = (isOpen) => {
  naming.hidden = !isOpen;
  showFilters();
  if (isOpen) field.focus();
};

saveButton.addEventListener("click", () => openNaming(true));
naming.querySelector("[type=button]").addEventListener("click", () => {
  openNaming(false);
  saveButton.focus();
});
naming.addEventListener("submit", (event) => {
  event.preventDefault();
  const name = field.value.trim();
  if (!name) return;
  const others = filters().filter((one) => one.name !== name);
  if (others.length >= FILTERS_MAX) return say(`Delete a filter first: ${FILTERS_MAX} are saved.`);
  stored.set("filters", [...others, { name, query: present }]);
  field.value = "";
  openNaming(false);
  say(`Filter ${name} saved in this browser.`);
  find("saved").querySelector("[aria-current]")?.focus();
});

showSwitches();
showFilters();
