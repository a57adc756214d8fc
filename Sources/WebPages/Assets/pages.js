// Forms and maps. Without this script everything still works. The board has its own script too.
"use strict";

// How long ago something was loaded.
const ago = (time) => {
  const minutes = Math.floor((Date.now() - time) / 60000);
  if (minutes < 1) return "less than a minute ago";
  const hours = Math.floor(minutes / 60);
  return hours ? `${hours} h ${minutes % 60} min ago` : `${minutes} min ago`;
};

// The worker that shows alerts, also those of the board. Resolves once it can.
const alertWorker = "/assets/board-worker.js";
const registerWorker = async () => {
  const registration = await navigator.serviceWorker.register(alertWorker, { scope: alertWorker });
  const coming = registration.installing ?? registration.waiting;
  if (!registration.active && coming) {
    await new Promise((done) => coming.addEventListener("statechange", () => {
      if (["activated", "redundant"].includes(coming.state)) done();
    }));
  }
  return registration;
};

// Buttons that need this script. Without it they stay hidden.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copy).textContent;
    await navigator.clipboard.writeText(text);
    button.textContent = "Code copied";
  });
}

// A field for a day shows it as the browser's language does, which can be misread: the day is
// written out below it, with a 24-hour clock.
const inWords = (value) => {
  const [day, time] = value.split("T");
  const date = new Date(`${day}T12:00:00Z`);
  if (!day || Number.isNaN(date.getTime())) return "";
  const written = date.toLocaleDateString("en-GB", {
    weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
  return written.replace(",", "") + (time ? `, ${time.slice(0, 5)}` : "");
};
for (const field of document.querySelectorAll("[type=date], [type=datetime-local]")) {
  const echo = Object.assign(document.createElement("span"), { className: "echo" });
  const write = () => { echo.textContent = inWords(field.value); };
  field.addEventListener("input", write);
  field.after(echo);
  write();
}

// What was typed into a form that was not sent because the session had ended: the login leads back
// to the form. Kept in this tab until the next page; never passwords.
const isLogIn = location.pathname === "/login";
const typed = JSON.parse(sessionStorage.getItem("typed"));
if (!isLogIn) {
  sessionStorage.removeItem("typed");
} else if (typed) {
  sessionStorage.setItem("typed", JSON.stringify({ ...typed, isLost: true }));
}
const isTyped = (field) =>
  field.name && !["hidden", "password", "submit", "file"].includes(field.type);
for (const form of isLogIn ? [] : document.querySelectorAll("form[method=post]")) {
  const action = form.getAttribute("action");
  form.addEventListener("submit", () => {
    const fields = [...form.elements].filter(isTyped)
      .map((field) => [field.name, field.value, field.checked]);
    sessionStorage.setItem("typed", JSON.stringify({ action, fields }));
  });
  if (!typed?.isLost || typed.action !== action || !typed.fields.length) continue;
  for (const field of [...form.elements].filter(isTyped)) {
    const isBox = ["checkbox", "radio"].includes(field.type);
    const found = typed.fields.find(
      ([name, value]) => name === field.name && (!isBox || value === field.value));
    if (!found) continue;
    if (isBox) field.checked = found[2]; else field.value = found[1];
  }
  const words = Object.assign(document.createElement("p"), {
    className: "done",
    textContent: "Not sent: your session had ended. What you typed is here again.",
  });
  words.setAttribute("role", "status");
  form.prepend(words);
  form.closest("details")?.setAttribute("open", "");
  words.scrollIntoView({ block: "center" });
}

// The steps of a rehearsal, as they happen.
const live = document.querySelector("[data-live]");
if (live) {
  let said = live.textContent;
  // What a form leads to must not be replaced.
  let isLeaving = false;
  addEventListener("submit", () => { isLeaving = true; });
  const follow = async () => {
    try {
      if (document.hidden) return;
      const options = { redirect: "manual", signal: AbortSignal.timeout(5000) };
      const answer = await fetch(live.dataset.live, options);
      // The rehearsal has ended, or the session: the page says which.
      if (answer.type === "opaqueredirect" && !isLeaving) {
        location.assign(live.dataset.live.split("?")[0]);
      }
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById(live.id);
      if (fresh.textContent === said) return;
      said = fresh.textContent;
      // A status that stays in the page is read out when its text changes.
      for (const part of ["[role=status]", "ol"]) {
        live.querySelector(part).innerHTML = fresh.querySelector(part).innerHTML;
      }
    } catch {
      // The next time.
    } finally {
      setTimeout(follow, 1500);
    }
  };
  setTimeout(follow, 1500);
}

// A preset fills the table of findings; the form says with which one.
for (const radio of document.querySelectorAll("input[data-findings]")) {
  radio.addEventListener("change", () => {
    for (const pair of radio.dataset.findings.split(" ")) {
      const [finding, severity] = pair.split("=");
      radio.form.elements[finding].value = severity;
    }
    radio.form.elements.filled.value = radio.value;
  });
}

// A track: x, y, time, accuracy, meters since the start and kind of each position, and with a map
// its latitude and longitude.
const laid = document.querySelector(".laid[data-points]");
const points = (laid?.dataset.points ?? "").split(";").map((point) => point.split(","));
const shown = { move: () => {} };
const scrub = document.querySelector(".scrub");
if (laid && scrub) {
  const slider = scrub.querySelector("[type=range]");
  const clock = scrub.querySelector("[type=time]");
  const output = scrub.querySelector("output");
  const here = laid.querySelector(".here");
  const move = (before = "") => {
    const [x, y, time, accuracy, meters, kind] = points[slider.value];
    here.setAttribute("cx", x);
    here.setAttribute("cy", y);
    here.removeAttribute("hidden");
    const words = [
      time, accuracy ? `accurate to ${accuracy} m` : "accuracy unknown",
      `${(meters / 1000).toFixed(1)} km since the start`, ...(kind === "m" ? ["mocked"] : []),
    ].join(", ");
    output.textContent = before + words;
    slider.setAttribute("aria-valuetext", words);
    shown.move(points[slider.value]);
  };
  slider.addEventListener("input", () => move());
  // The position nearest to a time of day, also beyond midnight.
  const seconds = (time) => time.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);
  const away = (point, time) => {
    const gap = Math.abs(seconds(point[2]) - time);
    return Math.min(gap, 86400 - gap);
  };
  clock.addEventListener("change", () => {
    if (!clock.value) return;
    const time = seconds(`${clock.value}:00`);
    slider.value = points.reduce(
      (best, point, place) => away(point, time) < away(points[best], time) ? place : best, 0);
    const isFar = away(points[slider.value], time) > 60;
    move(isFar ? `No position at ${clock.value}. The nearest: ` : "");
  });
  scrub.hidden = false;
  output.textContent = "Move the slider, or enter a time, to see when the phone was where.";
}

// Positions to copy: an address bar or another map takes them as they are.
const addCopyButtons = (part) => {
  for (const place of navigator.clipboard ? part.querySelectorAll("td.place") : []) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "quiet", textContent: "Copy" });
    const text = place.textContent.trim();
    button.setAttribute("aria-label", `Copy ${text}`);
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not copied";
      }
    });
    place.append(button);
  }
};
addCopyButtons(document);

// A place for a site: clicked, or chosen with the cross, on the drawing or on a map. It goes into
// the form, and the circles show what the form has.
const picker = document.querySelector(".pick");
const picked = [];
const showPicked = () => {
  const degrees = document.getElementById("center").value.trim().split(/[\s,;]+/).map(Number);
  const isPlace = degrees.length === 2 && degrees.every(Number.isFinite);
  const radius = Number(document.getElementById("radius").value) || 0;
  for (const show of picked) show(isPlace ? degrees : null, radius);
};
const pick = (latitude, longitude) => {
  const north = Math.min(Math.max(latitude, -90), 90);
  const east = longitude - 360 * Math.round(longitude / 360);
  const text = `${north.toFixed(6)}, ${east.toFixed(6)}`;
  document.getElementById("center").value = text;
  document.getElementById("picked").textContent = `Chosen: ${text}`;
  showPicked();
};
if (picker) {
  document.getElementById("about-pick").hidden = false;
  for (const id of ["center", "radius"]) {
    document.getElementById(id).addEventListener("input", showPicked);
  }
}
const pickDrawing = picker?.querySelector("svg");
if (pickDrawing) {
  const [north, east, x0, y0, latitude, longitude, scale] =
    pickDrawing.dataset.fit.split(",").map(Number);
  const [circle, aim] = [".chosen", ".aim"].map((name) => pickDrawing.querySelector(name));
  const { width, height } = pickDrawing.viewBox.baseVal;
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  let [x, y] = [width / 2, height / 2];
  const move = (newX, newY) => {
    [x, y] = [Math.min(Math.max(newX, 0), width), Math.min(Math.max(newY, 0), height)];
    aim.setAttribute("transform", `translate(${x} ${y})`);
  };
  const choose = () => pick(north - (y - y0) * latitude, east + (x - x0) * longitude);
  picked.push((place, radius) => {
    circle.toggleAttribute("hidden", !place);
    if (!place) return;
    const turn = place[1] - east;
    circle.setAttribute("cx", x0 + (turn - 360 * Math.round(turn / 360)) / longitude);
    circle.setAttribute("cy", y0 - (place[0] - north) / latitude);
    circle.setAttribute("r", Math.max(radius / scale, 3));
  });
  pickDrawing.addEventListener("click", (event) => {
    const point = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(pickDrawing.getScreenCTM().inverse());
    move(point.x, point.y);
    choose();
  });
  pickDrawing.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (step) move(x + step[0] * (event.shiftKey ? 1 : 8), y + step[1] * (event.shiftKey ? 1 : 8));
    else if (event.key === "Enter") choose();
    else return;
    event.preventDefault();
  });
  move(x, y);
  showPicked();
  aim.removeAttribute("hidden");
  pickDrawing.setAttribute("tabindex", "0");
  pickDrawing.setAttribute("role", "application");
}

// The same on a map, if tiles are configured. The drawing stays until the first tile has loaded, so
// that the page still shows positions if no tile does.
const redraw = new Map();
let library = null;
const drawMaps = (maps) => {
  const add = (name, properties) => new Promise((done, failed) => {
    const element = Object.assign(document.createElement(name), properties);
    element.onload = done;
    element.onerror = failed;
    document.head.append(element);
  });
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // Longitudes near the first one, so that a line across the date line stays short.
  const near = (longitude, first) => longitude - 360 * Math.round((longitude - first) / 360);

  const drawTrack = (view) => {
    const first = Number(points[0][7]);
    const place = (point) => [Number(point[6]), near(Number(point[7]), first)];
    let way = [];
    const finish = () => {
      if (way.length) L.polyline(way, { color: color("--tracked"), weight: 4 }).addTo(view);
    };
    const mark = (where, name) =>
      L.circleMarker(where, { radius: 4, color: color(name), weight: 2 }).addTo(view);
    for (const point of points) {
      const accuracy = Number(point[3]);
      if (accuracy >= 50) {
        L.circle(place(point), { radius: accuracy, color: color("--silent"), weight: 1 })
          .addTo(view);
      }
      if (point[5] === "m") {
        mark(place(point), "--blocked").bindTooltip(`${point[2]}, mocked`);
        continue;
      }
      if (point[5] === "c") {
        if (way.length) mark(way.at(-1), "--impaired");
        mark(place(point), "--impaired");
        finish();
        way = [];
      }
      way.push(place(point));
    }
    finish();
    for (const [point, name] of [[points[0], "start"], [points.at(-1), "end"]]) {
      L.circleMarker(place(point), { radius: 7, color: color("--tracked"), weight: 3 })
        .bindTooltip(`${name} ${point[2]}`).addTo(view);
    }
    let here;
    shown.move = (point) => {
      here ??= L.circleMarker(place(point), { radius: 9, color: color("--focus"), weight: 4 })
        .addTo(view);
      here.setLatLng(place(point));
      if (!view.getBounds().contains(here.getLatLng())) {
        view.panTo(here.getLatLng(), { animate: false });
      }
    };
    return points.map(place);
  };

  const drawPeople = (view, map, layer = L.layerGroup().addTo(view)) => {
    const rows = [...map.closest("section").querySelectorAll("tr[data-place]")];
    const first = Number(rows[0].dataset.place.split(",")[1]);
    layer.clearLayers();
    redraw.set(map, () => drawPeople(view, map, layer));
    return rows.map((row) => {
      const [latitude, longitude] = row.dataset.place.split(",").map(Number);
      const place = [latitude, near(longitude, first)];
      const isOld = row.querySelector(".old");
      const words = document.createElement("span");
      words.textContent = [...row.cells].slice(0, 3).map((cell) => cell.textContent.trim())
        .join(", ");
      L.circleMarker(place, { radius: 8, color: color(isOld ? "--impaired" : "--tracked"),
        weight: 3, dashArray: isOld ? "3 4" : null }).bindTooltip(words).addTo(layer);
      return place;
    });
  };

  const drawSites = (view, map) => {
    const corners = (place, radius) => {
      const bounds = L.latLng(place).toBounds(6 * radius);
      return [bounds.getSouthWest(), bounds.getNorthEast()];
    };
    const sites = [...document.querySelectorAll("[data-site]")].map((line) => {
      const [latitude, longitude, radius] = line.dataset.site.split(",").map(Number);
      const name = document.createElement("span");
      name.textContent = line.querySelector("b").textContent;
      L.circle([latitude, longitude], { radius, color: color("--calm"), weight: 2 })
        .bindTooltip(name).addTo(view);
      return corners([latitude, longitude], radius);
    });
    let circle;
    let shownAt;
    picked.push((place, radius) => {
      circle?.remove();
      shownAt = place && corners(place, Math.max(radius, 50));
      circle = place && L.circle(place, { radius, color: color("--focus"), weight: 3 }).addTo(view);
    });
    showPicked();
    view.on("click", ({ latlng }) => pick(latlng.lat, latlng.lng));
    map.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.target !== map) return;
      event.preventDefault();
      pick(view.getCenter().lat, view.getCenter().lng);
    });
    return shownAt ?? sites.flat();
  };

  const draw = (map) => {
    const drawing = map.parentElement.querySelector("svg.track");
    map.classList.add("awaited");
    map.hidden = false;
    const view = L.map(map, { attributionControl: true });
    view.attributionControl.setPrefix(false);
    const thanks = document.createElement("span");
    thanks.textContent = map.dataset.thanks;
    L.tileLayer(map.dataset.tiles, { attribution: thanks.innerHTML, maxZoom: 19 })
      .once("tileload", () => {
        map.classList.remove("awaited");
        drawing?.toggleAttribute("hidden", true);
      })
      .addTo(view);
    const kind = map.parentElement;
    const places = kind.dataset.points ? drawTrack(view)
      : kind === picker ? drawSites(view, map) : drawPeople(view, map);
    if (places.length) view.fitBounds(places, { padding: [24, 24], maxZoom: 17 });
    else view.setView([25, 0], 2);
  };

  if (!maps.length) return;
  library ??= Promise.all([
    add("link", { rel: "stylesheet", href: "/assets/leaflet/leaflet.css" }),
    add("script", { src: "/assets/leaflet/leaflet.js" }),
  ]);
  library.then(() => maps.forEach(draw), () => {});
};
drawMaps(document.querySelectorAll(".map"));

// The map of the employees on shift, refreshed for as long as the view lasts that was recorded.
const openMap = document.getElementById("open-map");
if (openMap) {
  const [lost, age] = ["lost", "age"].map((id) => document.getElementById(id));
  const teams = openMap.querySelector(".on-map");
  const { view, seconds, minutes } = openMap.dataset;
  const [, warning, details] = [lost, ...lost.children];
  const openedAt = Date.now();
  let loadedAt = openedAt;
  let timer = 0;
  let hasEnded = false;

  const showAge = () => {
    const rest = Math.max(0, minutes - Math.floor((Date.now() - openedAt) / 60000));
    age.textContent = hasEnded ? `As of ${ago(loadedAt)}.`
      : `As of ${ago(loadedAt)}. Refreshed every ${seconds} seconds, for ${rest} min more.`;
    details.textContent = lost.hidden ? "" : `As of ${ago(loadedAt)}.`;
  };
  const warn = (text) => {
    lost.hidden = !text;
    if (warning.textContent !== text) warning.textContent = text;
    showAge();
  };
  const end = () => {
    hasEnded = true;
    warn("This view has ended. Show the map again to see where employees are now.");
  };

  const key = (part) => part.getAttribute("aria-labelledby");
  const hasMap = (part) => Boolean(part.querySelector(".laid"));
  // Maps and scroll positions stay where they are.
  const refresh = (old, fresh) => {
    for (const part of ["p", "svg.track", "tbody"]) {
      const [before, after] = [old, fresh].map((team) => team.querySelector(part));
      if (!after) continue;
      after.toggleAttribute("hidden", before.hasAttribute("hidden"));
      before.replaceWith(after);
    }
    redraw.get(old.querySelector(".map"))?.();
  };
  const show = (page) => {
    const focused = document.activeElement;
    const row = focused.closest("tr")?.id;
    const shownTeams = new Map([...teams.children].map((team) => [key(team), team]));
    const added = [];
    const next = [...page.body.children].map((fresh) => {
      const old = shownTeams.get(key(fresh));
      if (!old || hasMap(old) !== hasMap(fresh)) {
        added.push(...fresh.querySelectorAll(".map"));
        return fresh;
      }
      if (key(fresh)) refresh(old, fresh);
      return old;
    });
    for (const team of shownTeams.values()) if (!next.includes(team)) team.remove();
    next.forEach((team, place) => {
      if (teams.children[place] !== team) teams.insertBefore(team, teams.children[place] ?? null);
    });
    addCopyButtons(teams);
    drawMaps(added);
    if (row && !focused.isConnected) {
      document.getElementById(row)?.querySelector(focused.tagName)?.focus({ preventScroll: true });
    }
  };

  const look = async () => {
    clearTimeout(timer);
    if (hasEnded) return;
    if (Date.now() - openedAt > minutes * 60000) return end();
    try {
      if (document.hidden) return;
      const answer = await fetch(location.pathname, {
        method: "POST", body: new URLSearchParams(view), redirect: "manual",
        signal: AbortSignal.timeout(10000),
      });
      if (answer.type === "opaqueredirect") return location.assign(location.pathname);
      // The view, or the right to it, is over.
      if (answer.status === 404) return end();
      if (!answer.ok) throw new Error(String(answer.status));
      show(new DOMParser().parseFromString(await answer.text(), "text/html"));
      loadedAt = Date.now();
      warn("");
    } catch {
      warn("Connection lost: this map is not up to date.");
    } finally {
      clearTimeout(timer);
      timer = setTimeout(look, seconds * 1000);
    }
  };
  age.hidden = false;
  showAge();
  timer = setTimeout(look, seconds * 1000);
  setInterval(showAge, 10000);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
  addEventListener("online", look);
  addEventListener("offline", () => warn("Connection lost: this map is not up to date."));
}

// Alerts in this browser: its push service gives an address, which the form sends.
const alerts = document.querySelector("[data-push-key]");
const subscription = async () => {
  const { pushManager } = await registerWorker();
  const options = { userVisibleOnly: true, applicationServerKey: alerts.dataset.pushKey };
  try {
    return await pushManager.subscribe(options);
  } catch {
    // One that was made with another key is in the way.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  }
};
if (alerts && navigator.serviceWorker && "PushManager" in window) {
  document.getElementById("no-alerts").hidden = true;
  alerts.hidden = false;
  alerts.addEventListener("submit", async (event) => {
    event.preventDefault();
    const fault = alerts.querySelector(".fault");
    const say = (words) => Object.assign(fault, { hidden: false, textContent: words });
    if (await Notification.requestPermission() !== "granted") {
      return say("This browser blocks notifications. Allow them for this site in its settings.");
    }
    try {
      const { endpoint, keys } = (await subscription()).toJSON();
      const { elements } = alerts;
      [elements.endpoint.value, elements.p256dh.value, elements.auth.value] =
        [endpoint, keys.p256dh, keys.auth];
      alerts.submit();
    } catch {
      say("The push service of this browser cannot be reached. Try again later.");
    }
  });
}
