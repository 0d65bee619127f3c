import { nearest } from "../../core/base/index.js";
import type { SchemaIssue, StandardSchema } from "../../core/contract/index.js";

/** The names of all props of a type; the compiler sees that none is missing. */
type Names<Props> = Readonly<Record<keyof Props & string, true>>;

/** A schema that refuses, by its name, a prop that the type does not have, and takes the others as they are. */
export function knownProps<Props extends object>(known: Names<Props>): StandardSchema<Props, Props> {
  const validate = (props: unknown) => {
    const issues = unknownProps(Object(props), known);
    return issues.length > 0 ? { issues } : { value: Object(props) };
  };
  return { "~standard": { version: 1, vendor: "scope-engine", validate } };
}

/** What there is to say against props that have other names. */
export function unknownProps(props: object, known: Readonly<Record<string, true>>): readonly SchemaIssue[] {
  const names = Object.entries(props).flatMap(([name, value]) =>
    value === undefined || Object.hasOwn(known, name) ? [] : name,
  );
  return names.map((name) => ({ path: [name], message: `is no prop of this type. ${hint(name, Object.keys(known))}` }));
}

function hint(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? `Known: ${known.join(", ")}.` : `Did you mean "${near}"?`;
}
