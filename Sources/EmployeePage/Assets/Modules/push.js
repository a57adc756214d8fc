// Push messages.

import { button, make, render } from "./elements.js";
import { worker } from "./offline.js";
import { request } from "./requests.js";
import { state } from "./state.js";
import { stored } from "./storage.js";
import { text } from "./texts.js";

// Browsers ask only after a tap; on iOS, only a page on the Home Screen can ask at all.
const pushKey = document.documentElement.dataset.pushKey;

export const canAskForPush = () => Boolean(pushKey && worker?.pushManager)
  && Notification.permission === "default";

// Tells the server where to send push messages, if the employee allowed them.
export async function subscribe() {
  if (!pushKey || !state.token || state.isRevoked || !worker?.pushManager) return;
  if (Notification.permission !== "granted") return;
  const subscription = await presentSubscription() || await worker.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
  const { endpoint, keys } = subscription.toJSON();
  const target = { channel: "web_push", endpoint, p256dh: keys.p256dh, auth: keys.auth };
  const known = JSON.stringify([target, state.token, pushKey]);
  if (stored.get("push") === known) return;
  const { status } = await request("PUT", "/v1/me/push-target", target);
  if (status < 300) stored.set("push", known);
}

// One made with another key is refused by the push service.
async function presentSubscription() {
  const subscription = await worker.pushManager.getSubscription();
  const key = subscription?.options.applicationServerKey;
  if (!key || base64URL(key) === pushKey) return subscription;
  await subscription.unsubscribe();
  return null;
}

const base64URL = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

// What the employee before allowed must not bring their messages to the next one.
export async function unsubscribe() {
  stored.remove("push");
  const known = await navigator.serviceWorker?.getRegistration("/app");
  const subscription = await known?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

async function askForPush() {
  await Notification.requestPermission();
  await subscribe().catch(() => {});
  render();
}

export const pushCard = () => make("section", { class: "card" },
  make("p", {}, text("notifyWhy")), button("notifyMe", askForPush, { id: "notify" }));
