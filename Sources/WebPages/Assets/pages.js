// Live updates and maps. Without this script everything still works, but pages do not update.
"use strict";

// The board: a stream names the employees whose rows have changed, and these rows are reloaded.
const board = document.getElementById("board");
if (board) {
  const ranks = "inxctzdf";
  const wanted = new Set();
  let everybody = false;
  let timer = 0;
  let fetching = false;

  const rank = (row) => ranks.indexOf(row.classList[0]);

  const name = (row) => row.querySelector("a").textContent;

  // By rank, then by name, as in a new page.
  const place = (row, list) => {
    const next = [...list.children].find((other) => other !== row && (rank(other) > rank(row)
      || rank(other) === rank(row) && name(other) > name(row)));
    list.insertBefore(row, next ?? null);
  };

  const replace = (old, row) => {
    const hadFocus = old.contains(document.activeElement);
    const changed = rank(old) !== rank(row);
    old.replaceWith(row);
    if (changed) place(row, row.parentElement);
    if (hadFocus) row.querySelector("a")?.focus({ preventScroll: true });
    return changed;
  };

  const words = (row) =>
    ["a", "b", "p"].map((part) => row.querySelector(part).textContent.trim()).join(", ");

  const show = (page, asked) => {
    const said = [];
    for (const list of page.querySelectorAll("ul.employees")) {
      const here = document.getElementById(list.id);
      for (const row of [...list.children]) {
        const old = document.getElementById(row.id);
        if (old ? replace(old, row) : here && (place(row, here), true)) {
          row.classList.add("new");
          said.push(words(row));
        }
      }
    }
    const gone = asked ?? [...board.querySelectorAll(".employees > li")].map((row) => row.id);
    for (const id of gone) {
      if (!page.shown.has(id)) document.getElementById(id)?.remove();
    }
    for (const id of ["heading", "states"]) {
      const old = document.getElementById(id);
      const link = old.contains(document.activeElement) && document.activeElement.pathname
        && document.activeElement.getAttribute("href");
      old.replaceWith(page.getElementById(id));
      if (link) board.querySelector(`#${id} a[href="${CSS.escape(link)}"]`)?.focus();
    }
    document.getElementById("age").replaceWith(page.getElementById("age"));
    countReviews(page.getElementById("reviews"));
    document.getElementById("live").textContent = said.slice(0, 5).join(". ");
  };

  const countReviews = (link) => {
    const old = document.getElementById("reviews");
    // An instance of the version before sends none.
    if (!link || !old) return;
    const hadFocus = old === document.activeElement;
    old.replaceWith(link);
    if (hadFocus) link.focus();
    const waiting = link.querySelector("b")?.firstChild.data;
    const title = document.title.replace(/^\(\d+\) /, "");
    document.title = waiting ? `(${waiting}) ${title}` : title;
  };

  // A board that is not up to date shows a warning at the top until it is up to date again.
  const lost = document.getElementById("lost");
  const warn = () => {
    if (!lost.hidden) return;
    const age = document.getElementById("age").textContent.trim();
    lost.textContent = `Connection lost: this board is not up to date. ${age}`;
    lost.hidden = false;
  };
  const calm = () => {
    lost.hidden = true;
    lost.textContent = "";
  };

  const look = async () => {
    timer = 0;
    if (fetching) return soon();
    fetching = true;
    const asked = everybody ? null : [...wanted];
    everybody = false;
    wanted.clear();
    try {
      const address = new URL(location.href);
      address.searchParams.set("fragment", "rows");
      if (asked) address.searchParams.set("employees", asked.join(","));
      const answer = await fetch(
        address, { redirect: "manual", signal: AbortSignal.timeout(10000) });
      if (answer.type === "opaqueredirect" || answer.status === 401) return location.reload();
      if (!answer.ok) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      page.shown = new Set([...page.querySelectorAll("ul.employees > li")].map((row) => row.id));
      show(page, asked?.map((number) => `e${number}`));
      if (!stream || stream.readyState === EventSource.OPEN) calm();
    } catch {
      warn();
      everybody = true;
      setTimeout(soon, 2000 + 3000 * Math.random());
    } finally {
      fetching = false;
    }
  };

  const soon = () => { timer ||= setTimeout(look, 50); };
  const all = () => { everybody = true; soon(); };

  const stream = board.dataset.events && new EventSource(board.dataset.events);
  if (stream) {
    stream.addEventListener("changed", (event) => {
      for (const number of event.data.match(/\d+/g) ?? []) wanted.add(number);
      soon();
    });
    stream.addEventListener("resync", all);
    let broken = false;
    stream.onerror = () => {
      broken = true;
      warn();
    };
    stream.onopen = () => { if (broken) all(); broken = false; };
  }
  // Bars grow with time, and this also covers a failing stream.
  setInterval(() => { if (!document.hidden) all(); }, 60000);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) all(); });
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
  const slider = scrub.querySelector("input");
  const output = scrub.querySelector("output");
  const here = laid.querySelector(".here");
  const move = () => {
    const [x, y, time, accuracy, meters, kind] = points[slider.value];
    here.setAttribute("cx", x);
    here.setAttribute("cy", y);
    here.removeAttribute("hidden");
    const words = [
      time, accuracy ? `accurate to ${accuracy} m` : "accuracy unknown",
      `${(meters / 1000).toFixed(1)} km since the start`, ...(kind === "m" ? ["mocked"] : []),
    ].join(", ");
    output.textContent = words;
    slider.setAttribute("aria-valuetext", words);
    shown.move(points[slider.value]);
  };
  slider.addEventListener("input", move);
  scrub.hidden = false;
  output.textContent = "Move the slider to see when the phone was where.";
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
