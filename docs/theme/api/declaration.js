/** The page of one export: its purpose, how to call it, parameters, errors, and an example. */
import { ReflectionKind } from "typedoc";
import { h, raw, together } from "../jsx.js";
import { callOf } from "./call.js";
import { examplesOf, headingOf, summaryOf, tagsOf } from "./comment.js";
import { formSections, formTable } from "./form-sections.js";
import { formsOf } from "./forms.js";
import { membersOf } from "./members.js";
import { propertiesOf, propertyList, shapesIn } from "./properties.js";
import { purposeOf } from "./sections.js";

const KINDS = {
  [ReflectionKind.Function]: "function",
  [ReflectionKind.Variable]: "constant",
  [ReflectionKind.Class]: "class",
  [ReflectionKind.Interface]: "interface",
  [ReflectionKind.TypeAlias]: "type",
};

export function declarationPage(context, declaration) {
  const module = declaration.parent;
  return together(
    trail(context, [
      ["API", "modules.html"],
      [module.name, context.router.getFullUrl(module)],
      [purposeOf(declaration)],
    ]),
    h(
      "h1",
      null,
      h("code", null, declaration.name),
      h("span", { class: "kind" }, formsOf(declaration).length > 0 ? "function" : KINDS[declaration.kind]),
    ),
    importLine(context, declaration, module),
    bodyOf(context, declaration),
  );
}

/** The breadcrumbs of a page, from the outside inwards. */
export function trail(context, steps) {
  const step = ([text, url]) => h("li", null, url ? h("a", { href: context.relativeURL(url) }, text) : text);
  return h("nav", { class: "trail", "aria-label": "Where this is" }, h("ol", null, steps.map(step)));
}

function importLine(context, declaration, module) {
  const isType = declaration.kindOf(ReflectionKind.Interface | ReflectionKind.TypeAlias);
  const text = `import ${isType ? "type " : ""}{ ${declaration.name} } from "${module.name}";`;
  return h("div", { class: "import" }, raw(context.markdown(`\`\`\`ts\n${text}\n\`\`\``)));
}

function bodyOf(context, declaration) {
  if (declaration.kindOf(ReflectionKind.Function)) return callOf(context, declaration.signatures, { told: new Set() });
  if (declaration.kindOf(ReflectionKind.Variable)) return variableOf(context, declaration);
  if (declaration.kindOf(ReflectionKind.TypeAlias)) return aliasOf(context, declaration);
  return together(
    summaryOf(context, declaration),
    membersOf(context, declaration),
    examplesOf(context, declaration),
    tagsOf(context, declaration),
  );
}

function variableOf(context, variable) {
  const forms = formsOf(variable);
  if (forms.length > 0) {
    return together(
      summaryOf(context, variable),
      examplesOf(context, variable),
      tagsOf(context, variable),
      formTable(context, forms),
      formSections(context, forms),
    );
  }
  return together(
    summaryOf(context, variable),
    typeLine(context, "const", variable),
    examplesOf(context, variable),
    tagsOf(context, variable),
    // Parameters come before the result.
    [...(variable.type?.typeArguments ?? [])]
      .reverse()
      .flatMap((argument) => shapesIn(argument))
      .map((shape) => shapeSection(context, shape)),
  );
}

function aliasOf(context, alias) {
  const properties = propertiesOf(alias);
  return together(
    summaryOf(context, alias),
    typeLine(context, "type", alias),
    context.typeDetailsIfUseful(alias, alias.type),
    examplesOf(context, alias),
    tagsOf(context, alias),
    properties.length > 0 && alias.type?.type === "intersection"
      ? propertyList(context, properties, { ids: false })
      : undefined,
  );
}

/** The declaration itself, as it is written. */
function typeLine(context, keyword, { name, type, typeParameters = [] }) {
  const parameters =
    typeParameters.length > 0 ? `<${typeParameters.map((parameter) => parameter.name).join(", ")}>` : "";
  const link = keyword === "const" ? ": " : " = ";
  return h(
    "div",
    { class: "signature" },
    h("code", null, `${keyword} `, h("b", null, name, parameters), link, context.type(type)),
  );
}

/** A shape that the caller fills in, with a link to its own page. */
export function shapeSection(context, shape, level = "h2") {
  return h(
    "section",
    null,
    headingOf(context, level, shape.name.toLowerCase(), shape.name),
    summaryOf(context, shape),
    propertyList(context, propertiesOf(shape), { ids: false }),
  );
}
