/** Dark or light: as the system says, until it is said otherwise here. */

const KEY = "scope-engine-theme";

export function restoreTheme(): void {
  const theme = stored(KEY);
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
}

export function toggleTheme(): void {
  const { theme } = document.documentElement.dataset;
  const isDark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = isDark ? "light" : "dark";
  store(KEY, isDark ? "light" : "dark");
}

/** Nothing where the browser keeps nothing for this page. */
export function stored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It holds until the page is closed.
  }
}
