/** The members of a class or an interface, in the order of the code. */
import { ReflectionKind } from "typedoc";
import { h, together } from "../jsx.js";
import { callOf } from "./call.js";
import { headingOf } from "./comment.js";
import { propertyList } from "./properties.js";
import { signatureBlock } from "./signature.js";

export function membersOf(context, declaration) {
  // Methods that the language calls by a symbol are not listed: programs do not call them.
  const children = (declaration.children ?? []).filter(({ name }) => !/^\[(?!asyncDispose)/.test(name));
  const isCall = (child) => child.kindOf(ReflectionKind.Method) || child.signatures !== undefined;
  const constructors = children.filter((child) => child.kindOf(ReflectionKind.Constructor) && !child.flags.isInherited);
  const calls = children.filter((child) => isCall(child) && !child.kindOf(ReflectionKind.Constructor));
  const values = children.filter((child) => !isCall(child));
  const told = new Set();
  return together(
    declaration.signatures ? callOf(context, declaration.signatures, { told }) : undefined,
    constructors.map((child) =>
      child.signatures.map((signature) => signatureBlock(context, signature, { id: context.getAnchor(child) })),
    ),
    values.length > 0 ? valuesOf(context, declaration, values, calls.length > 0) : undefined,
    calls.map((child) => callSection(context, child, told)),
    (declaration.indexSignatures ?? []).map((signature) =>
      h(
        "div",
        { class: "signature" },
        h("code", null, "[", signature.parameters?.[0]?.name, "]: ", context.type(signature.type)),
      ),
    ),
  );
}

function valuesOf(context, declaration, values, isOneOfTwo) {
  const list = propertyList(context, values);
  if (!isOneOfTwo) return list;
  return together(headingOf(context, "h2", `${declaration.name.toLowerCase()}-properties`, "Properties"), list);
}

function callSection(context, child, told) {
  const id = context.getAnchor(child) ?? child.name.toLowerCase();
  return h(
    "section",
    null,
    headingOf(context, "h2", id, `${child.name}()`),
    callOf(context, child.signatures, { told, isPart: true }),
  );
}
