/** A function and the functions that are its members, on one page. */
import { h, together } from "../jsx.js";
import { callOf } from "./call.js";
import { examplesOf, headingOf, shortOf, summaryOf, tagsOf } from "./comment.js";

/** All forms at a glance. */
export function formTable(context, forms) {
  return together(
    headingOf(context, "h2", "forms", "Forms"),
    h(
      "dl",
      { class: "symbols-list" },
      forms.map((form) =>
        together(
          h("dt", null, h("a", { href: `#${form.id}` }, h("code", null, form.title))),
          h("dd", null, shortOf(context, form.signatures?.[0] ?? form.reflection)),
        ),
      ),
    ),
  );
}

/** Each form with its signatures, options, errors and examples. Options that several forms share are described once. */
export function formSections(context, forms) {
  const told = new Set();
  return forms.map((form) =>
    h(
      "section",
      null,
      headingOf(context, "h2", form.id, form.title),
      form.signatures
        ? callOf(context, form.signatures, { told, name: form.call, isPart: true })
        : valueSection(context, form),
    ),
  );
}

function valueSection(context, { title, reflection }) {
  return together(
    h("div", { class: "signature" }, h("code", null, h("b", null, title), ": ", context.type(reflection.type))),
    summaryOf(context, reflection),
    membersOf(context, reflection, title),
    examplesOf(context, reflection, true),
    tagsOf(context, reflection),
  );
}

/** Methods and properties of a value that is an object with a type of its own. */
function membersOf(context, { type }, title) {
  const target = type?.type === "reference" ? type.reflection : undefined;
  if (!target?.signatures) return undefined;
  return callOf(context, target.signatures, { told: new Set(), name: title, isPart: true });
}
