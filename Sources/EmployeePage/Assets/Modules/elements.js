// How elements are made and the page is drawn.

import { state } from "./state.js";
import { text } from "./texts.js";
import { byId } from "./tools.js";

// An element; attributes that begin with `on` are listeners, and `false` or `undefined` is left
// out.
export function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value || value === "" || value === 0) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child || child === 0));
  return element;
}

export function button(key, action, attributes = {}) {
  return make("button", { type: "button", onclick: action, ...attributes }, text(key));
}

// Of a button for a clock action, which has no effect during another. A disabled one would lose the
// focus.
export const unlessBusy = () => ({ "aria-disabled": state.busy && "true" });

export const list = (tag, items, attributes) =>
  make(tag, attributes, items.map((item) => make("li", {}, item)));

export function speak(words) { byId("spoken").textContent = words; }

// Draws every part of the page from the state.
let draw = () => {};
let isRendering = false;

// Between finger down and click nothing is drawn: a button that was replaced would not be tapped.
let isPressed = false;
// For a press without a click, as one that slid off its button.
const afterPress = 100;

export function watchPresses() {
  let releasing;
  const releaseAfter = (delay) => () => {
    clearTimeout(releasing);
    releasing = setTimeout(() => {
      isPressed = false;
      render();
    }, delay);
  };
  addEventListener("pointerdown", () => {
    // The tap before may have ended a moment ago.
    clearTimeout(releasing);
    isPressed = true;
  });
  addEventListener("pointerup", releaseAfter(afterPress));
  addEventListener("pointercancel", releaseAfter(afterPress));
  // What a tap began shows as soon as its form is sent, and disables buttons without effect now.
  addEventListener("click", releaseAfter(0));
}

export const drawWith = (given) => { draw = given; };

// Has the page drawn from the state, once however much has changed. The focus stays on the element
// with the same id.
export function render() {
  if (isRendering) return;
  isRendering = true;
  queueMicrotask(() => {
    isRendering = false;
    if (!state.texts || isPressed) return;
    const focused = document.activeElement?.id;
    const typed = document.activeElement?.value;
    draw();
    const again = focused && focused !== "main" && byId(focused);
    if (again && document.activeElement !== again) {
      if (typed && /INPUT|TEXTAREA/.test(again.tagName)) again.value = typed;
      again.focus({ preventScroll: true });
    }
  });
}
