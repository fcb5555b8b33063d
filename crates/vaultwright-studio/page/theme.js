// Dark or light: as the system has it, unless one has chosen.

const KEY = "vaultwright-theme";

apply(localStorage.getItem(KEY));

function apply(theme) {
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** Chooses the other one. */
export function toggleTheme() {
  const system = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  const now = document.documentElement.dataset.theme ?? system;
  const next = now === "dark" ? "light" : "dark";
  if (next === system) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, next);
  apply(next);
  dispatchEvent(new Event("theme"));
  return next;
}
