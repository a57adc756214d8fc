// What outlives the page: a database, and small settings.

import { state } from "./state.js";
import { newId } from "./tools.js";

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
  });
}

// Runs `body(store)` in one transaction, which is on the disk when it ends; resolves with the
// result of the request that it returns.
export function within(name, mode, body) {
  return new Promise((resolve, reject) => {
    if (!database) return reject(new Error("no database"));
    const transaction = database.transaction(name, mode, { durability: "strict" });
    const asked = body(transaction.objectStore(name));
    transaction.oncomplete = () => resolve(asked?.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

// What outlives the page and is small. Another tab or a full disk must not stop the page. Browsers
// write `localStorage` to the disk some seconds later, and those that kill pages may lose it: what
// the employee cannot do without is also in the database, which decides at the next start.
const durable = ["token", "employee", "installation", "kept"];

export const stored = {
  get(name) {
    try { return JSON.parse(localStorage.getItem(`shiftguard.${name}`)); } catch { return null; }
  },
  set(name, value) {
    try {
      localStorage.setItem(`shiftguard.${name}`, JSON.stringify(value));
    } catch {
      state.cannotStore = true;
    }
    keepSetting(name, value);
  },
  remove(name) {
    try { localStorage.removeItem(`shiftguard.${name}`); } catch { /* It was never stored. */ }
    keepSetting(name, null);
  },
};

function keepSetting(name, value) {
  if (!durable.includes(name)) return;
  within("settings", "readwrite", (store) => store.put({ name, value })).catch(() => {});
}

// Opens the database, and takes over what the page knew when it was closed.
export async function openStorage() {
  state.token = stored.get("token");
  state.me = stored.get("me");
  try {
    database = await openDatabase();
    await restoreSettings();
  } catch { state.cannotStore = true; }
}

async function restoreSettings() {
  const settings = await within("settings", "readonly", (store) => store.getAll());
  for (const { name, value } of settings) {
    try {
      localStorage.setItem(`shiftguard.${name}`, JSON.stringify(value));
    } catch { state.cannotStore = true; }
  }
  state.token = stored.get("token");
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
