/**
 * Behaviour of pages in a browser: colours, copying, the current position, and the search, which is loaded on first
 * use.
 */
import { openSearch, prepare } from "./search.js";

const root = document.documentElement;

function setUpColors() {
  document.querySelector(".colors")?.addEventListener("click", () => {
    const isDark =
      getComputedStyle(root).colorScheme === "dark" ||
      (root.dataset.theme === "os" && matchMedia("(prefers-color-scheme: dark)").matches);
    root.dataset.theme = isDark ? "light" : "dark";
    localStorage.setItem("theme", root.dataset.theme);
  });
}

function setUpCopying() {
  document.addEventListener("click", async ({ target }) => {
    const button = target instanceof Element ? target.closest("pre > button") : null;
    const code = button?.parentElement?.querySelector("code");
    if (!button || !code) return;
    await navigator.clipboard.writeText(code.innerText.trimEnd());
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1_500);
  });
}

/** Marks the heading that is read, in the list of headings. */
function setUpContents() {
  const links = new Map([...document.querySelectorAll(".toc a")].map((link) => [link.hash.slice(1), link]));
  if (links.size === 0) return;
  const headings = [...links.keys()].flatMap((id) => document.getElementById(decodeURIComponent(id)) ?? []);
  const mark = () => {
    const current = headings.findLast((heading) => heading.getBoundingClientRect().top < 140) ?? headings[0];
    for (const [id, link] of links) link.classList.toggle("seen", id === current?.id);
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}

/** A long navigation scrolls to the current page. */
function showCurrentPage() {
  const side = document.getElementById("side");
  const current = side?.querySelector('[aria-current="page"]');
  if (!side || !current) return;
  const toMiddle = () => {
    side.scrollTop = current.offsetTop - side.clientHeight / 2;
  };
  if (current.offsetTop > side.clientHeight - 80) toMiddle();
  side.addEventListener("toggle", toMiddle);
}

/** By its button, Ctrl+K, or a slash. */
function setUpSearch() {
  const base = root.dataset.base ?? "./";
  const open = () => openSearch(base);
  const button = document.querySelector(".search-open");
  button?.addEventListener("click", open);
  button?.addEventListener("pointerenter", () => prepare(base), { once: true });
  addEventListener("keydown", (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
    const isShortcut = (event.key === "k" && (event.ctrlKey || event.metaKey)) || (event.key === "/" && !isTyping);
    if (!isShortcut) return;
    event.preventDefault();
    open();
  });
}

setUpColors();
setUpCopying();
setUpContents();
showCurrentPage();
setUpSearch();
