// What the page knows of its browser.

// WebKit says `prompt` whatever the employee has chosen, so there it means nothing.
export const isWebKit = /AppleWebKit\//.test(navigator.userAgent)
  && !/Chrom(e|ium)\//.test(navigator.userAgent);

// Opened from the Home Screen, in a window without an address.
export const isInstalled = () => navigator.standalone === true
  || matchMedia("(display-mode: standalone)").matches;

export function describeBrowser() {
  const agent = navigator.userAgent;
  // Most browsers also call themselves Chrome or Safari, so these come last.
  const names = { Edg: "Edge", OPR: "Opera", SamsungBrowser: "Samsung Internet", Firefox: "Firefox",
    FxiOS: "Firefox", CriOS: "Chrome", Chrome: "Chrome", Version: "Safari" };
  const token = Object.keys(names).find((name) => agent.includes(`${name}/`));
  const number = token ? agent.split(`${token}/`)[1].split(/\D/)[0] : "";
  const system = /Android [\d.]+|(iPhone )?OS \d+_\d+|Windows NT [\d.]+|Linux/.exec(agent);
  return {
    model: [names[token] || "Browser", number, isInstalled() && "(installed)"]
      .filter(Boolean).join(" "),
    osVersion: (system ? system[0] : "").replace(/_/g, ".").slice(0, 50) || undefined,
  };
}

export const isVisible = () => document.visibilityState === "visible";
