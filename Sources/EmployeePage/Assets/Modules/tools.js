// Small things that every file of the page uses.

export const version = document.documentElement.dataset.version;
export const byId = (id) => document.getElementById(id);
export const instant = (milliseconds) => new Date(milliseconds).toISOString();
export const second = 1000;

export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Runs `body`, which never fails, while no other tab does. Without cookies a browser has no locks.
export async function inOneTab(name, body) {
  let hasRun = false;
  const run = () => {
    hasRun = true;
    return body();
  };
  try {
    await navigator.locks.request(name, run);
  } catch {
    if (!hasRun) await run();
  }
}

export const route = () => location.hash.startsWith("#/") ? location.hash.slice(1) : "/";

export function go(path) {
  if (route() !== path) location.hash = path === "/" ? "#/" : `#${path}`;
}
