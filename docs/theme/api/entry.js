/** The page of an entry of the package: its exports, grouped by purpose. */
import { h, raw, together } from "../jsx.js";
import { headingOf, shortOf, summaryOf } from "./comment.js";
import { trail } from "./declaration.js";
import { PURPOSES, sectionsOf, targetOf } from "./sections.js";

export function entryPage(context, module) {
  const sections = sectionsOf(module);
  return together(
    trail(context, [["API", "modules.html"]]),
    h("h1", null, h("code", null, module.name)),
    summaryOf(context, module),
    module.readme ? raw(context.markdown(module.readme)) : undefined,
    sections.map((section) => sectionOf(context, section, sections.length > 1)),
  );
}

function sectionOf(context, { title, values, types }, isOneOfMany) {
  return h(
    "section",
    null,
    isOneOfMany ? headingOf(context, "h2", title.toLowerCase(), title) : undefined,
    isOneOfMany ? h("p", { class: "lead" }, PURPOSES[title]) : undefined,
    values.length > 0 ? symbolList(context, values) : undefined,
    types.length > 0 ? typeList(context, types, values.length > 0) : undefined,
  );
}

/** Names with a sentence each. */
export function symbolList(context, symbols) {
  return h(
    "dl",
    { class: "symbols-list" },
    symbols.map((symbol) => row(context, targetOf(symbol))),
  );
}

function row(context, symbol) {
  return together(
    h("dt", null, h("a", { href: context.urlTo(symbol) }, h("code", null, nameOf(symbol)))),
    h("dd", null, shortOf(context, symbol)),
  );
}

/** Readers reach types from the functions that use them, so a list of names is enough. */
function typeList(context, types, isBehind) {
  if (!isBehind) return symbolList(context, types);
  return h("details", { class: "types" }, h("summary", null, `${types.length} types`), symbolList(context, types));
}

export function nameOf(symbol) {
  return symbol.signatures ? `${symbol.name}()` : symbol.name;
}
