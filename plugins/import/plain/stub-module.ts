/** Writes a resource type whose handlers the user fills in, with the types of its recorded values. */
import { Sensitive } from "../contract.js";
import { memberName, text } from "../print/code.js";

export interface StubType {
  /** Kind of its records. */
  readonly kind: string;
  /** Name of the function, in PascalCase. */
  readonly name: string;
  /** Recorded values of all its resources. */
  readonly all: readonly { readonly props: unknown; readonly output: unknown }[];
}

/** Deepest level for which types are written. */
const DEEPEST = 6;

/** @param tool that the type was imported from, for a comment */
export function stubModule({ kind, name, all }: StubType, tool: string): string {
  const props = typeOf(
    all.map((one) => one.props),
    0,
  );
  const output = typeOf(
    all.map((one) => one.output),
    0,
  );
  const usesSecret = /\bSecret\b/.test(`${props}${output}`);
  const kindText = JSON.stringify(kind).slice(1, -1).replaceAll("`", "\\`").replaceAll("${", "\\${");
  return `import { EngineError, Resource${usesSecret ? ", type Secret" : ""} } from "scope-engine";

export type ${name}Props = ${props};

export type ${name}Output = ${output};

/** Imported from ${tool} without its code. Fill in the handlers before you change or delete such a resource. */
export const ${name} = Resource<${name}Output, ${name}Props>(${text(kind)}, {
  create: () => {
    // The code says that nothing was created.
    throw new EngineError("NOT_CREATED", why("create"));
  },
  update: ({ fqn }) => {
    throw new Error(why("update", fqn));
  },
  delete: ({ fqn }) => {
    throw new Error(why("delete", fqn));
  },
});

function why(handler: string, fqn?: string): string {
  const undo = fqn === undefined ? "" : \` Or undo the change, and run: engine state keep "\${fqn}"\`;
  return \`The type ${kindText} has no \${handler} yet. Fill it in.\${undo}\`;
}
`;
}

/** Returns a type that fits all values. */
function typeOf(values: readonly unknown[], depth: number): string {
  if (depth > DEEPEST) return "any";
  const types = new Set(values.filter((one) => !isObject(one)).map((one) => simpleType(one, depth)));
  const lists = values.filter((one) => Array.isArray(one)).flat();
  if (values.some((one) => Array.isArray(one))) {
    const element = lists.length === 0 ? "never" : typeOf(lists, depth + 1);
    types.add(/^[\w.]+(?:\[\])*$/.test(element) ? `${element}[]` : `(${element})[]`);
  }
  const objects = values.filter(isObject);
  if (objects.length > 0) types.add(objectType(objects, depth));
  types.delete("");
  return types.size === 0 ? "{}" : [...types].join(" | ");
}

function simpleType(value: unknown, depth: number): string {
  if (Array.isArray(value)) return "";
  if (value === null) return "null";
  if (value === undefined) return "undefined";
  if (value instanceof Date) return "Date";
  if (value instanceof Uint8Array) return "Uint8Array";
  if (value instanceof Sensitive) {
    const inner = typeOf([value.value], depth + 1);
    return inner === "string" ? "Secret" : `Secret<${inner}>`;
  }
  return typeof value;
}

function objectType(objects: readonly Readonly<Record<string, unknown>>[], depth: number): string {
  const names = new Set(objects.flatMap((one) => Object.keys(one)));
  if (names.size === 0) return "{}";
  const indent = "  ".repeat(depth + 1);
  const lines = [...names].map((name) => {
    const having = objects.filter((one) => Object.hasOwn(one, name));
    const type = typeOf(
      having.map((one) => one[name]),
      depth + 1,
    );
    return `${indent}readonly ${memberName(name)}${having.length < objects.length ? "?" : ""}: ${type};\n`;
  });
  return `{\n${lines.join("")}${"  ".repeat(depth)}}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date || value instanceof Uint8Array || value instanceof Sensitive)
  );
}
