"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
  };
  heads.forEach((head, column) => head.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") !== "descending";
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const order = (a, b) => typeof a === "number" ? a - b : a.localeCompare(b);
    const rows = [...body.rows].sort((a, b) => order(value(a, column), value(b, column)));
    if (down) rows.reverse();
    body.append(...rows);
  }));
  const numeric = column => body.rows[0].cells[column].classList.contains("n");
  heads.forEach((head, column) => { if (numeric(column)) head.style.textAlign = "right"; });
  if (body.rows.length > 15) {
    const input = document.createElement("input");
    input.className = "filter";
    input.placeholder = `filter ${body.rows.length} rows`;
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase();
      for (const row of body.rows) row.hidden = !row.textContent.toLowerCase().includes(words);
    });
    table.parentElement.before(input);
  }
}
for (const tabs of document.querySelectorAll(".tabs")) {
  const buttons = [...tabs.querySelectorAll("button")];
  const show = name => {
    buttons.forEach(button => button.setAttribute("aria-pressed", button.dataset.tab === name));
    for (const part of tabs.parentElement.querySelectorAll("[data-part]")) part.hidden = part.dataset.part !== name;
  };
  buttons.forEach(button => button.addEventListener("click", () => show(button.dataset.tab)));
  if (buttons.length) show(buttons[0].dataset.tab);
}
for (const picture of document.querySelectorAll(".levels img"))
  picture.addEventListener("click", () => picture.classList.toggle("large"));
