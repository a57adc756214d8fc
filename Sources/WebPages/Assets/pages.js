// Forms and maps. Without this script everything still works. The board has its own script.
"use strict";

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
if (navigator.clipboard) {
  for (const place of document.querySelectorAll("td.place")) {
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
}

// The same on a map, if tiles are configured. The drawing stays until the first tile has loaded, so
// that the page still shows positions if no tile does.
const maps = document.querySelectorAll(".map");
if (maps.length) {
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

  const drawPeople = (view, rows) => {
    const first = Number(rows[0].dataset.place.split(",")[1]);
    return rows.map((row) => {
      const [latitude, longitude] = row.dataset.place.split(",").map(Number);
      const place = [latitude, near(longitude, first)];
      const isOld = row.querySelector(".old");
      const words = document.createElement("span");
      words.textContent = [...row.cells].slice(0, 3).map((cell) => cell.textContent.trim())
        .join(", ");
      L.circleMarker(place, { radius: 8, color: color(isOld ? "--impaired" : "--tracked"),
        weight: 3, dashArray: isOld ? "3 4" : null }).bindTooltip(words).addTo(view);
      return place;
    });
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
        drawing.toggleAttribute("hidden", true);
      })
      .addTo(view);
    const rows = [...map.closest("section").querySelectorAll("tr[data-place]")];
    const places = map.parentElement.dataset.points ? drawTrack(view) : drawPeople(view, rows);
    view.fitBounds(places, { padding: [24, 24], maxZoom: 17 });
  };

  Promise.all([
    add("link", { rel: "stylesheet", href: "/assets/leaflet/leaflet.css" }),
    add("script", { src: "/assets/leaflet/leaflet.js" }),
  ]).then(() => maps.forEach(draw), () => {});
}
