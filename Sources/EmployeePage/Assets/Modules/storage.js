// What outlives the page: a database, and small settings.

import { state } from "./state.js";
import { newId, second } from "./tools.js";

export let database = null;

function openDatabase() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("shiftguard", 1);
    opening.onupgradeneeded = () => {
      for (const name of ["queue", "kept", "events"]) {
        opening.result.createObjectStore(name, { keyPath: "place", autoIncrement: true });
      }
      opening.result.createObjectStore("settings", { keyPath: "name" });
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
    // Some browsers never answer.
    setTimeout(() => reject(new Error("no answer")), 5 * second);
  });
}

// Runs `body(store)`, or `body` with several stores, in one transaction, which is on the disk when
// it ends; resolves with the result of the request that it returns. Browsers end the connection of
// a page that was in the background, and when their data is cleared: then it is opened again.
export async function within(name, mode, body) {
  try {
    return await once(name, mode, body);
  } catch (error) {
    if (!database || error?.name === "QuotaExceededError") throw error;
    await reopen();
    return once(name, mode, body);
  }
}

let reopening = null;

function reopen() {
  reopening ||= openDatabase().then((opened) => {
    database.close();
    database = opened;
    state.cannotStore = false;
    keepAgain();
  }).finally(() => { reopening = null; });
  return reopening;
}

// What the database did not take meanwhile.
function keepAgain() {
  if (!stored.get("token")) return;
  once("settings", "readwrite", (store) => {
    for (const name of durable) store.put({ name, value: stored.get(name) });
  }).catch(() => {});
}

function once(name, mode, body) {
  return new Promise((resolve, reject) => {
    if (!database) return reject(new Error("no database"));
    const transaction = database.transaction(name, mode, { durability: "strict" });
    const asked = body(...[name].flat().map((one) => transaction.objectStore(one)));
    transaction.oncomplete = () => resolve(asked?.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

// What outlives the page and is small. Another tab or a full disk must not stop the page. Browsers
// write `localStorage` to the disk some seconds later, and those that kill pages may lose it: what
// the employee cannot do without is also in the database, which decides at the next start.
const durable = ["enrolledAt", "token", "owner", "employee", "installation", "kept"];

export const stored = {
  get(name) {
    try { return JSON.parse(localStorage.getItem(`shiftguard.${name}`)); } catch { return null; }
  },
  set(name, value) {
    remember(name, value);
    if (durable.includes(name)) keepSettings({ [name]: value });
  },
  remove(name) {
    try { localStorage.removeItem(`shiftguard.${name}`); } catch { /* It was never stored. */ }
    if (durable.includes(name)) keepSettings({ [name]: null });
  },
};

function remember(name, value) {
  try {
    localStorage.setItem(`shiftguard.${name}`, JSON.stringify(value));
  } catch { state.cannotStore = true; }
}

const keepSettings = (values) => within("settings", "readwrite", (store) => {
  for (const [name, value] of Object.entries(values)) store.put({ name, value });
}).catch(() => { state.cannotStore = true; });

// Whose phone this is from now on: `owner` names the employee for good, and `employee` is the name
// in their records, which stays as it is. The time says which copy is right if one was not written.
export async function storeOwner({ owner, employee, token }) {
  const enrolledAt = Math.max(Date.now(), (stored.get("enrolledAt") || 0) + 1);
  const values = { enrolledAt, owner, employee, token };
  await keepSettings(values);
  for (const [name, value] of Object.entries(values)) remember(name, value);
  Object.assign(state, { employee, token });
}

// Whether another tab has connected this browser again: nothing here is that employee's.
export function isForeign() {
  const token = stored.get("token");
  return Boolean(token && state.token && token !== state.token);
}

// Opens the database, and takes over what the page knew when it was closed.
export async function openStorage() {
  state.me = stored.get("me");
  try {
    database = await openDatabase();
    await restoreSettings();
  } catch { state.cannotStore = true; }
  state.token = stored.get("token");
  state.employee = stored.get("employee");
}

async function restoreSettings() {
  const settings = await within("settings", "readonly", (store) => store.getAll());
  const enrolledAt = settings.find(({ name }) => name === "enrolledAt")?.value || 0;
  if (stored.get("enrolledAt") > enrolledAt) return keepAgain();
  for (const { name, value } of settings) remember(name, value);
}

export function installation() {
  if (!stored.get("installation")) stored.set("installation", newId());
  return stored.get("installation");
}

// Not below the time: a browser that was killed may have lost the last number, and the server takes
// a report with a number that it has seen for a repetition.
export function nextSequence() {
  const next = Math.max((stored.get("sequence") || 0) + 1, Date.now());
  stored.set("sequence", next);
  return next;
}
