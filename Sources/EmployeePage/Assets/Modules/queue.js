// What has to be sent: one FIFO of clock actions, reports and pings in IndexedDB. Without a
// database it lasts as long as the page.

import { render } from "./elements.js";
import { codes } from "./rules.js";
import { state } from "./state.js";
import { database, within } from "./storage.js";

export const queueMax = 5000;

// What could not be stored: it is sent, but lost with the page.
let unstored = [];
export const hasUnstored = () => unstored.length > 0;

export async function readQueue(count) {
  let items = [];
  try {
    if (database) items = await within("queue", "readonly", (store) => store.getAll(null, count));
  } catch { state.cannotStore = true; }
  return [...items, ...unstored].slice(0, count);
}

// Another tab may have added a record of the employee before.
export const isOwn = ({ employee }) => employee === state.employee;

// Adds a record of this employee. A report that repeats the last record only renews it, under a new
// place, because that record may be on its way already. Clock actions are always taken.
export async function addToQueue(record) {
  const item = { employee: state.employee, ...record };
  const late = [...unstored];
  state.hasReport ||= item.kind === "report";
  try {
    await within("queue", "readwrite", (store) => {
      for (const one of late) store.add(one);
      store.count().onsuccess = ({ target }) => {
        state.isFull = target.result >= queueMax;
        if (state.isFull && item.kind !== "clock") return;
        store.openCursor(null, "prev").onsuccess = ({ target: { result: last } }) => {
          if (last && repeats(item, last.value)) last.delete();
          store.add(item);
        };
      };
    });
    unstored = unstored.filter((one) => !late.includes(one));
  } catch {
    state.cannotStore = true;
    if (unstored.length < queueMax) unstored.push(item);
  }
  await countQueue();
}

function repeats(item, last) {
  if (item.kind !== last.kind) return false;
  if (item.kind === "ping") return item.body.recordedAt === last.body.recordedAt;
  const names = Object.keys(codes);
  return item.kind === "report" && names.every((name) => item.body[name] === last.body[name]);
}

export async function removeFromQueue(items) {
  unstored = unstored.filter((item) => !items.includes(item));
  const places = items.map(({ place }) => place).filter(Boolean);
  if (places.length) {
    await within("queue", "readwrite", (store) => places.forEach((place) => store.delete(place)));
  }
  await countQueue();
}

// Answers how many records of the queue are deleted. Those that are not are found when it is sent.
export async function clearQueue() {
  let count = unstored.length;
  unstored = [];
  try {
    const inQueue = await within("queue", "readonly", (store) => store.count());
    for (const name of ["queue", "kept", "events"]) {
      await within(name, "readwrite", (store) => store.clear());
    }
    count += inQueue;
  } catch { state.cannotStore = true; }
  await countQueue();
  return count;
}

export async function countQueue() {
  const items = (await readQueue(queueMax + 100)).filter(isOwn);
  state.waiting = items.filter((item) => item.kind === "clock");
  state.hasReport = items.some((item) => item.kind === "report");
  state.waitingCount = items.length;
  state.isFull = items.length >= queueMax;
  render();
}
