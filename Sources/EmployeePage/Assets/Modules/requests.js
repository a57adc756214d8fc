// Requests to the server.

import { render } from "./elements.js";
import { state } from "./state.js";
import { language } from "./texts.js";
import { second } from "./tools.js";

// The answer as { status, body, retryAfter } in seconds; throws without a network.
export async function request(method, path, body, isKeptAlive = false) {
  const headers = { "Accept-Language": language };
  const { token } = state;
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), 20 * second);
  try {
    const response = await fetch(path, {
      method, headers, body: body && JSON.stringify(body), cache: "no-store", credentials: "omit",
      keepalive: isKeptAlive, signal: abort.signal,
    });
    const content = await response.text();
    // An answer to the token before says nothing about the present one.
    if (response.status === 401 && token && token === state.token) noteRevoked();
    setOffline(false);
    return {
      status: response.status,
      body: content ? JSON.parse(content) : {},
      retryAfter: Number(response.headers.get("Retry-After")) || 0,
    };
  } catch (error) {
    setOffline(true);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

export function noteRevoked() {
  state.isRevoked = true;
  render();
}

export function setOffline(isOffline) {
  if (state.isOffline === isOffline) return;
  state.isOffline = isOffline;
  render();
}
