/** Names for readers: a page is called by its heading, a module by its import specifier. */

const PACKAGE = "scope-engine";

/** Entries that are not imported by the path of their source. */
const ENTRIES = {
  plugins: PACKAGE,
  "plugins/resources": `${PACKAGE}/resources`,
  "plugins/terraform": `${PACKAGE}/terraform`,
  "plugins/admin": `${PACKAGE}/admin`,
  "plugins/engine": `${PACKAGE}/core`,
  "core/contract/plugin": `${PACKAGE}/plugin`,
  "plugins/testing": `${PACKAGE}/testing`,
};

/** The entries that most programs import come first. */
const ORDER = [
  PACKAGE,
  `${PACKAGE}/resources`,
  `${PACKAGE}/admin`,
  `${PACKAGE}/plugin`,
  `${PACKAGE}/testing`,
  `${PACKAGE}/core`,
];

/** Uses the first heading of a page as its name. */
export function nameDocument(document) {
  const text = document.content.map((part) => part.text).join("");
  const heading = /^# (.+)$/m.exec(text)?.[1];
  if (heading !== undefined) document.name = heading.replaceAll(/[`*]/g, "").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

/** Gives each module its import specifier, and sorts the modules. */
export function nameModules(project) {
  const modules = project.children ?? [];
  for (const module of modules) module.name = ENTRIES[module.name] ?? `${PACKAGE}/${module.name}`;
  const groups = (project.groups ?? []).map((group) => group.children);
  for (const list of [modules, project.childrenIncludingDocuments ?? [], ...groups]) list.sort(inOrder);
}

/** Pages keep their places, before all modules. */
function inOrder(one, other) {
  if (one.isDocument() || other.isDocument()) return Number(other.isDocument()) - Number(one.isDocument());
  return placeOf(one) - placeOf(other) || one.name.localeCompare(other.name);
}

function placeOf({ name }) {
  const place = ORDER.indexOf(name);
  return place < 0 ? ORDER.length : place;
}
