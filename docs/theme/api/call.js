/** One function with all its signatures: its parameters, its result and its errors. */
import { ReflectionKind } from "typedoc";
import { h, together } from "../jsx.js";
import { examplesOf, summaryOf, tagsOf } from "./comment.js";
import { propertiesOf, propertyList, shapesIn } from "./properties.js";
import { signatureBlock } from "./signature.js";

/** Types that many calls name; they have pages of their own. */
const KNOWN = new Set(["Scope", "Engine", "StoreContext"]);

/** `told` holds the shapes that the page has explained already; `isPart` says that the page is about more than this. */
export function callOf(context, signatures, { told, name, isPart = false }) {
  const [first] = signatures;
  return together(
    signatures.map((signature, index) => [
      signatureBlock(context, signature, { name }),
      said(signature) === said(signatures[index + 1]) ? undefined : summaryOf(context, signature),
    ]),
    examplesOf(context, first, isPart),
    parameterList(context, signatures),
    signatures.map((signature) =>
      (signature.parameters ?? []).map((parameter) => shapes(context, parameter, signature, told)),
    ),
    tagsOf(context, signatures.find(({ comment }) => comment?.blockTags.length > 0) ?? first),
  );
}

/** A text that several signatures share is printed once, after the last of them. */
const said = (signature) => signature?.comment?.summary.map(({ text }) => text).join("");

/** Parameters with a description besides their types. */
function parameterList(context, signatures) {
  const told = signatures
    .flatMap(({ parameters = [] }) => parameters)
    .filter(({ comment }) => comment?.summary.length > 0);
  if (told.length === 0) return undefined;
  return propertyList(context, told, { ids: false });
}

/** Members of an argument, shown next to its parameter; known types get a link. */
function shapes(context, parameter, signature, told) {
  // A type parameter is replaced by the type that it extends.
  const known = signature.typeParameters?.find(({ name }) => name === parameter.type?.name)?.type ?? parameter.type;
  return shapesIn(known).map((shape) => {
    if (KNOWN.has(shape.name) || shape.kindOf(ReflectionKind.Class) || told.has(shape)) return undefined;
    told.add(shape);
    const properties = propertiesOf(shape);
    const link = h("a", { href: context.urlTo(shape) }, h("code", null, shape.name));
    return h(
      "details",
      { class: "shape", open: true },
      h(
        "summary",
        null,
        h("code", null, parameter.name),
        " · ",
        link,
        h("span", { class: "count" }, `${properties.length}`),
      ),
      propertyList(context, properties, { ids: false }),
    );
  });
}
