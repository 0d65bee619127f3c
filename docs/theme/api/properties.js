/** Members as lists that read on any screen: name, type, default, description. */
import { ReflectionKind } from "typedoc";
import { h, together } from "../jsx.js";
import { examplesOf, tagsOf, withDefault } from "./comment.js";
import { signatureBlock } from "./signature.js";

/** Properties of an interface, or of an alias of an object. */
export function propertyList(context, properties, { ids = true } = {}) {
  return h(
    "dl",
    { class: "properties" },
    properties.map((property) => propertyRow(context, property, ids)),
  );
}

function propertyRow(context, property, ids) {
  const { said, value } = withDefault(context, property);
  const isMethod = property.signatures !== undefined;
  return together(
    h(
      "dt",
      { id: ids ? context.getAnchor(property) : undefined },
      h("code", { class: "name" }, `${property.name}${property.flags.isOptional ? "?" : ""}${isMethod ? "()" : ""}`),
      isMethod ? undefined : typeOf(context, property),
      value ? h("span", { class: "default" }, "Default: ", value) : undefined,
    ),
    h(
      "dd",
      null,
      isMethod ? property.signatures.map((signature) => signatureBlock(context, signature)) : undefined,
      said,
      examplesOf(context, property, true),
      tagsOf(context, property.signatures?.[0] ?? property),
    ),
  );
}

function typeOf(context, { type, getSignature }) {
  const shown = type ?? getSignature?.type;
  return shown ? h("code", { class: "type" }, context.type(shown)) : undefined;
}

/** Interfaces, and aliases of object types, that a type names and that the caller fills in. */
export function shapesIn(type, found = new Map()) {
  type?.visit({
    reference: (reference) => {
      const target = reference.reflection;
      if (target?.kindOf?.(ReflectionKind.Interface | ReflectionKind.TypeAlias) && propertiesOf(target).length > 0)
        found.set(target, reference);
      shapesInAll(reference.typeArguments ?? [], found);
    },
    union: ({ types }) => shapesInAll(types, found),
    intersection: ({ types }) => shapesInAll(types, found),
    array: ({ elementType }) => shapesIn(elementType, found),
    typeOperator: ({ target }) => shapesIn(target, found),
    optional: ({ elementType }) => shapesIn(elementType, found),
  });
  return [...found.keys()];
}

function shapesInAll(types, found) {
  for (const one of types) shapesIn(one, found);
}

/** The properties of an interface, of an alias of an object type, or of an intersection. */
export function propertiesOf(target) {
  if (target.children) return target.children;
  const { type } = target;
  if (type?.type === "reflection") return type.declaration.children ?? [];
  if (type?.type !== "intersection") return [];
  return type.types.flatMap((part) => {
    if (part.type === "reflection") return part.declaration.children ?? [];
    return part.type === "reference" && part.reflection ? propertiesOf(part.reflection) : [];
  });
}
