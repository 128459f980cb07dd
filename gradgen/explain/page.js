"use strict";
// Lines of the two sides and values of the picture that share a line light up together.
const linked = [...document.querySelectorAll("[data-lines]")];
let kept = null;

function numbers(element) {
  return (element.dataset.lines || "").split(" ").filter(Boolean);
}

function light(element) {
  const wanted = new Set(element ? numbers(element) : []);
  const own = element && element.classList.contains("node") ? element : null;
  for (const one of linked) {
    const on = one === own || numbers(one).some((number) => wanted.has(number));
    one.classList.toggle("lit", on);
    if (one.getAttribute("role") === "option") one.setAttribute("aria-selected", String(on));
  }
  const node = own ? own.dataset.node : null;
  for (const edge of document.querySelectorAll(".edge")) {
    edge.classList.toggle("near", node !== null && (edge.dataset.from === node || edge.dataset.to === node));
  }
}

function reveal(element) {
  // Brings the first partner on the other side into view, inside its own frame alone.
  const list = element.closest(".code");
  const other = document.getElementById(list && list.id === "primal" ? "gradient" : "primal");
  const partner = other.querySelector("li.lit");
  if (partner && list) partner.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function keep(element) {
  kept = kept === element ? null : element;
  light(kept || element);
}

for (const element of linked) {
  element.addEventListener("pointerenter", () => { if (!kept) light(element); });
  element.addEventListener("pointerleave", () => { if (!kept) light(null); });
  element.addEventListener("focus", () => { if (!kept) light(element); });
  element.addEventListener("click", () => { keep(element); if (kept) reveal(element); });
}

// One stop of the Tab key for each list; the arrow keys go through its lines.
function rove(list, items) {
  if (items.length) items[0].tabIndex = 0;
  list.addEventListener("keydown", (event) => {
    const at = items.indexOf(document.activeElement);
    if (at < 0) return;
    const steps = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: items.length - 1 };
    if (event.key === "Enter" || event.key === " ") {
      keep(items[at]);
    } else if (event.key in steps) {
      const next = items[Math.max(0, Math.min(items.length - 1, steps[event.key]))];
      items[at].tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    } else {
      return;
    }
    event.preventDefault();
  });
}

for (const list of document.querySelectorAll("#primal, #gradient")) rove(list, [...list.children]);
const flow = document.querySelector(".flow");
if (flow) rove(flow, [...flow.querySelectorAll(".node")]);

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  kept = null;
  light(null);
});

// The slider shows one of the texts, with what its pass changed.
const slider = document.getElementById("pass");
const passes = [...document.querySelectorAll(".pass")];

function show() {
  const at = Number(slider.value) - 1;
  passes.forEach((pass, i) => { pass.hidden = i !== at; });
  document.getElementById("pass-number").textContent = slider.value;
  document.getElementById("pass-says").textContent = passes[at].dataset.says;
  slider.setAttribute("aria-valuetext", passes[at].dataset.says);
}

slider.addEventListener("input", show);
show();
