// What the page knows now. Everything on the screen is drawn from it.

import { newId } from "./tools.js";

export const appSession = newId();

export const state = {
  texts: null,
  token: null,
  employee: null,
  // The server's last status; without a network the stored one.
  me: null,
  // The guidance on show: that of the rules in the page until the server has answered.
  guidance: null,
  checkedAt: 0,
  isAcknowledged: false,
  // Clock actions in the queue, in order, whether a report is in it, and the number of all records.
  waiting: [],
  hasReport: false,
  waitingCount: 0,
  // Records of another employee that were in the queue.
  deletedCount: 0,
  isFull: false,
  isOffline: false,
  // Whether the server answers, and takes nothing for now.
  isStuck: false,
  isRevoked: false,
  cannotStore: false,
  // Whether the server was told that the page is out of view. Of a page that begins so, it knows
  // nothing, and another tab may be in view.
  isHiddenSaid: document.visibilityState === "hidden",
  // The clock action under way, and what came of the last one.
  busy: null,
  result: null,
  alerts: [],
  // The contents of the view: loaded lists and what is wrong with them.
  loaded: {},
  enrolment: null,
  // Whether the privacy notice was opened by itself: once it is read, the shift comes back.
  isNoticeDue: false,
  // How many notices were confirmed since the page was loaded.
  noticesRead: 0,
  // Whether the employee's last check is under way, and whether it found nothing new.
  isChecking: false,
  isUnchanged: false,
};
