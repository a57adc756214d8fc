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

// The track on a map, if tiles are configured. The drawing stays until the first tile has loaded, so
// that the page still shows a track if no tile does.
const map = document.getElementById("map");
if (map) {
  const add = (name, properties) => new Promise((done, failed) => {
    const element = Object.assign(document.createElement(name), properties);
    element.onload = done;
    element.onerror = failed;
    document.head.append(element);
  });
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  const draw = () => {
    const points = map.dataset.points.split(";").map((point) => point.split(",").map(Number));
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
    let way = [];
    const finish = () => {
      if (way.length) L.polyline(way, { color: color("--tracked"), weight: 4 }).addTo(view);
    };
    points.forEach(([latitude, longitude, second], index) => {
      const last = points[index - 1];
      if (last && second - last[2] > 180) {
        finish();
        way = [];
        L.polyline([last.slice(0, 2), [latitude, longitude]],
          { color: color("--impaired"), weight: 3, dashArray: "2 8" }).addTo(view);
      }
      way.push([latitude, longitude]);
    });
    finish();
    for (const [place, name] of [[points[0], "start"], [points.at(-1), "end"]]) {
      L.circleMarker(place.slice(0, 2), { radius: 7, color: color("--tracked"), weight: 3 })
        .bindTooltip(name).addTo(view);
    }
    view.fitBounds(points.map((point) => point.slice(0, 2)), { padding: [24, 24], maxZoom: 17 });
  };

  Promise.all([
    add("link", { rel: "stylesheet", href: "/assets/leaflet/leaflet.css" }),
    add("script", { src: "/assets/leaflet/leaflet.js" }),
  ]).then(draw, () => {});
}
