"use strict";
// Lines of the two sides and values of the picture that share a line light up together.
const linked = [...document.querySelectorAll("[data-lines]")];
const shapes = document.getElementById("shapes");
const nothing = shapes.innerHTML;
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
  const told = (element && element.dataset.shapes) || "";
  shapes.classList.toggle("told", told !== "");
  if (told) shapes.textContent = told;
  else shapes.innerHTML = nothing;
  const node = own ? own.dataset.node : null;
  for (const edge of document.querySelectorAll(".edge")) {
    edge.classList.toggle("near", node !== null && (edge.dataset.from === node || edge.dataset.to === node));
  }
}

function reveal(element) {
  // Brings the first partner on the other side into view, inside its own frame alone.
  const list = element.closest(".code");
  const other = list && list.id === "gradient" ? ".original" : "#gradient";
  const partner = document.querySelector(`${other} li.lit`);
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

for (const list of document.querySelectorAll(".original, #gradient")) rove(list, [...list.children]);
const flow = document.querySelector(".flow");
if (flow) rove(flow, [...flow.querySelectorAll(".node")]);

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  kept = null;
  light(null);
});

// The slider goes over all passes; each row: the place of its text, whether the pass
// changed it, and what is told of the pass.
const slider = document.getElementById("pass");
const passes = [...document.querySelectorAll(".pass")];
const stages = JSON.parse(document.getElementById("stages").textContent);
const steps = { "previous-change": -1, "next-change": 1 };

function change(way) {
  // The number of the next pass in that direction that changed the text, or 0.
  for (let at = Number(slider.value) - 1 + way; at >= 0 && at < stages.length; at += way) {
    if (stages[at][1]) return at + 1;
  }
  return 0;
}

function show() {
  const [text, changed, says] = stages[Number(slider.value) - 1];
  const told = changed ? says : `${says} (changed nothing)`;
  passes.forEach((pass, i) => { pass.hidden = i !== text; });
  passes[text].classList.toggle("idle", !changed);
  document.getElementById("pass-number").textContent = slider.value;
  document.getElementById("pass-says").textContent = told;
  slider.setAttribute("aria-valuetext", told);
  for (const [id, way] of Object.entries(steps)) document.getElementById(id).disabled = !change(way);
}

slider.addEventListener("input", show);
for (const [id, way] of Object.entries(steps)) {
  document.getElementById(id).addEventListener("click", () => {
    slider.value = change(way) || slider.value;
    show();
    // The first line that changed comes into view, inside its own frame alone.
    const pass = document.querySelector(".pass:not([hidden])");
    const mark = pass.querySelector(".new, .gone");
    pass.scrollTop = mark ? mark.offsetTop - pass.clientHeight / 3 : 0;
  });
}
show();
