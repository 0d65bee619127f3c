/** The search's dialog: made when it is first opened, from texts that are loaded then. */

let prepared;

/** Loads the texts and the search code, once. */
export function prepare(base) {
  prepared ??= Promise.all([load(base), import("./ranking.js"), import("./minisearch.js")]).then(
    async ([sections, { excerptOf, find, makeIndex }, { default: MiniSearch }]) => {
      const index = makeIndex(MiniSearch);
      await index.addAllAsync(sections, { chunkSize: 40 });
      return { excerptOf, find: (question) => find(index, sections, question) };
    },
  );
  return prepared;
}

async function load(base) {
  const answer = await fetch(`${base}assets/search.json`);
  return answer.json();
}

let dialog;

/** Opens immediately, so that no keystroke is lost. */
export function openSearch(base) {
  dialog ??= makeDialog(base);
  if (!dialog.open) dialog.showModal();
  dialog.querySelector("input").select();
  prepare(base);
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function makeDialog(base) {
  const input = element("input", {
    type: "text",
    enterKeyHint: "search",
    placeholder: "import, roll back, rename, lock, drift …",
    autocomplete: "off",
    spellcheck: false,
  });
  for (const [name, value] of [
    ["role", "combobox"],
    ["aria-controls", "search-results"],
    ["aria-expanded", "true"],
    ["aria-label", "Search"],
  ])
    input.setAttribute(name, value);
  const close = element("button", { type: "button", className: "close", textContent: "Close" });
  const results = element("ul", { id: "search-results", className: "results", role: "listbox" });
  results.setAttribute("aria-label", "Results");
  const status = element("p", { className: "status" });
  status.setAttribute("aria-live", "polite");
  const made = element("dialog", { className: "search" }, element("label", {}, input, close), results, status);
  let shown;
  const show = async () => {
    const question = input.value;
    const { excerptOf, find } = await prepare(base);
    if (question !== input.value || question === shown) return;
    shown = question;
    showResults(results, status, base, question, find(question), excerptOf);
  };
  input.addEventListener("input", show);
  input.addEventListener("keydown", async (event) => {
    if (event.key !== "Enter") return moveBy(event, results);
    await show(); // for the latest query
    results.querySelector('[aria-selected="true"] a')?.click();
  });
  made.addEventListener("click", ({ target }) => {
    if (target === made || (target instanceof Element && target.closest("a, .close"))) made.close();
  });
  status.textContent = "Search the guide, the reference and the API.";
  document.body.append(made);
  return made;
}

function showResults(results, status, base, question, found, excerptOf) {
  results.replaceChildren(
    ...found.map((section, at) => resultOf(section, base, excerptOf(section.text, question), at === 0)),
  );
  const nothing = `Nothing about “${question}”. Try another word for it.`;
  status.textContent =
    found.length > 0 ? "" : question.trim() === "" ? "Search the guide, the reference and the API." : nothing;
  status.hidden = found.length > 0;
}

function resultOf(section, base, excerpt, isFirst) {
  const title =
    section.kind === "api" ? element("code", {}, section.page) : element("strong", {}, section.title || section.page);
  const where = section.kind === "api" ? ` ${section.entry}` : section.title ? ` ${section.page}` : "";
  const pieces = excerpt.map(({ text, isHit }) => (isHit ? element("mark", {}, text) : text));
  const link = element(
    "a",
    { href: `${base}${section.url}` },
    title,
    element("span", { className: "place" }, where),
    element("p", {}, ...pieces),
  );
  const item = element("li", { role: "option" }, link);
  item.setAttribute("aria-selected", String(isFirst));
  return item;
}

function moveBy(event, results) {
  const items = [...results.querySelectorAll("[role=option]")];
  const at = items.findIndex((item) => item.getAttribute("aria-selected") === "true");
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || items.length === 0) return;
  event.preventDefault();
  const next = (at + step + items.length) % items.length;
  for (const [index, item] of items.entries()) item.setAttribute("aria-selected", String(index === next));
  items[next].scrollIntoView({ block: "nearest" });
}
