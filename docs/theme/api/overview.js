/** The first page of the API: tasks of a program, and the exports for each, from all entries. */
import { h, together } from "../jsx.js";
import { headingOf, shortOf } from "./comment.js";
import { nameOf } from "./entry.js";
import { formsOf } from "./forms.js";
import { entryGroups, PURPOSES, sectionsOf } from "./sections.js";

/** The purpose of each function in `engine`, which is a function with these members. */
const FORMS = {
  Run: ["up", "run", "destroy", "env"],
  Declare: ["secret", "ref"],
  Plan: ["plan", "drift"],
  Store: ["migrate"],
};

export function overviewPage(context, map) {
  const modules = context.page.project.children ?? [];
  return together(
    h("h1", null, "API"),
    h("p", { class: "lead" }, "What a program can import, by what it wants to do."),
    Object.entries(PURPOSES).map(([title, lead]) => purpose(context, modules, title, lead)),
    headingOf(context, "h2", "entries", "Entries"),
    entryGroups(map.entries).map(({ title, entries }) =>
      h(
        "p",
        { class: "entries-line" },
        h("strong", null, title),
        entries.map(({ text, url }) => h("a", { href: context.relativeURL(url) }, h("code", null, text))),
      ),
    ),
  );
}

function purpose(context, modules, title, lead) {
  const rows = modules.flatMap((module) => {
    const section = sectionsOf(module).find((one) => one.title === title);
    return (section?.values ?? [])
      .filter((value) => !value.isReference())
      .map((value) => rowsOf(context, module, value, title));
  });
  return h(
    "section",
    { class: "purpose" },
    headingOf(context, "h2", title.toLowerCase(), title),
    h("p", { class: "lead" }, lead),
    h("dl", { class: "symbols-list" }, title === "Run" ? undefined : engineForms(context, modules, title), rows),
  );
}

function rowsOf(context, module, value, title) {
  const isEngine = value.name === "engine";
  return together(
    h(
      "dt",
      null,
      h("a", { href: context.urlTo(value) }, h("code", null, isEngine ? "engine()" : nameOf(value))),
      entryName(module),
    ),
    h("dd", null, shortOf(context, value)),
    isEngine ? engineForms(context, [module], title) : undefined,
  );
}

function engineForms(context, modules, title) {
  const engine = modules.flatMap(({ children = [] }) => children).find(({ name }) => name === "engine");
  if (!engine) return undefined;
  return formsOf(engine).flatMap((form) => {
    if (!(FORMS[title] ?? []).includes(form.name)) return [];
    const href = `${context.urlTo(engine)}#${form.id}`;
    return [
      h("dt", null, h("a", { href }, h("code", null, form.title))),
      h("dd", null, shortOf(context, form.reflection)),
    ];
  });
}

/** The entry that exports a name, unless it is the main one. */
function entryName({ name }) {
  return name === "scope-engine" ? undefined : h("small", null, name.replace("scope-engine/", ""));
}
