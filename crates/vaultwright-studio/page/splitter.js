// A bar between two parts that one drags, or moves with the arrow keys. It is remembered.

/** Makes a separator set `--split` (beside each other) or `--draw` (above each other) of an element. */
export function makeSplitter(bar, element, moved = () => {}) {
  const vertical = bar.getAttribute("aria-orientation") === "vertical";
  const name = vertical ? "--split" : "--draw";
  const key = `vaultwright${name}`;
  const set = (share) => {
    const value = Math.max(15, Math.min(85, share));
    element.style.setProperty(name, `${value}%`);
    bar.setAttribute("aria-valuenow", String(Math.round(value)));
    localStorage.setItem(key, String(value));
    moved();
  };
  set(Number(localStorage.getItem(key)) || (vertical ? 44 : 40));
  bar.addEventListener("pointerdown", (event) => bar.setPointerCapture(event.pointerId));
  bar.addEventListener("pointermove", (event) => {
    if (!bar.hasPointerCapture(event.pointerId)) return;
    const box = bar.parentElement.getBoundingClientRect();
    set(
      vertical
        ? ((event.clientX - box.left) / box.width) * 100
        : ((event.clientY - box.top) / box.height) * 100,
    );
  });
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -2, ArrowUp: -2, ArrowRight: 2, ArrowDown: 2 }[event.key];
    if (!step) return;
    event.preventDefault();
    set(Number(bar.getAttribute("aria-valuenow")) + step);
  });
}
