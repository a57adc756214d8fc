// Requests to the server.

import { render } from "./elements.js";
import { state } from "./state.js";
import { isForeign } from "./storage.js";
import { language } from "./texts.js";
import { second } from "./tools.js";

// The answer as { status, body, retryAfter } in seconds; throws without a network, and if a proxy
// answers.
export async function request(method, path, body, isKeptAlive = false) {
  const headers = { "Accept-Language": language };
  const { token } = state;
  if (isForeign()) {
    location.reload();
    throw new Error("this browser is another employee's now");
  }
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), 20 * second);
  let answer;
  try {
    const response = await fetch(path, {
      method, headers, body: body && JSON.stringify(body), cache: "no-store", credentials: "omit",
      keepalive: isKeptAlive, signal: abort.signal,
    });
    answer = {
      status: response.status, body: await readBody(response),
      retryAfter: Number(response.headers.get("Retry-After")) || 0,
    };
    setOffline(false);
  } catch (error) {
    setOffline(true);
    throw error;
  } finally {
    clearTimeout(timer);
  }
  // An answer to the token before says nothing about the present one.
  if (token !== state.token || isForeign()) throw new Error("answered to another employee");
  if (isRevocation(answer) && token) noteRevoked();
  return answer;
}

// Throws if it is not JSON.
export async function readBody(response) {
  const content = await response.text();
  return content ? JSON.parse(content) ?? {} : {};
}

// Only our server's refusals have a code.
export const isRevocation = ({ status, body }) => status === 401 && Boolean(body.code);

// What ends with the connection.
const enders = [];
export const whenRevoked = (ender) => enders.push(ender);

export function noteRevoked() {
  state.isRevoked = true;
  state.alerts = [];
  enders.forEach((end) => end());
  render();
}

export function setOffline(isOffline) {
  if (state.isOffline === isOffline) return;
  state.isOffline = isOffline;
  render();
}
