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
