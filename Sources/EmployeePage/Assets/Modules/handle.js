// The parts of the page by name, such as `shiftguard.queue.readQueue(9)`: for the console of a
// browser and for the tests. The page itself uses none of this.

import * as alerts from "./alerts.js";
import * as browser from "./browser.js";
import * as elements from "./elements.js";
import * as evidence from "./evidence.js";
import * as offline from "./offline.js";
import * as pings from "./pings.js";
import * as queue from "./queue.js";
import * as remedies from "./remedies.js";
import * as requests from "./requests.js";
import * as results from "./results.js";
import * as review from "./review.js";
import * as rules from "./rules.js";
import * as sending from "./sending.js";
import { appSession, state } from "./state.js";
import * as status from "./status.js";
import * as storage from "./storage.js";
import * as tools from "./tools.js";
import * as work from "./work.js";

globalThis.shiftguard = {
  alerts, appSession, browser, elements, evidence, offline, pings, queue, remedies, requests, results,
  review, rules, sending, state, status, storage, tools, work,
};
