import { EngineError } from "../base/index.js";

export const WHOLE: unique symbol = Symbol.for("scope-engine/whole");

/** Marks a class whose instances are passed on whole. */
export interface Whole {
  readonly [WHOLE]: true;
}

/** Values that are passed on whole: they are never searched for promises. */
export type Leaf =
  | null
  | undefined
  | boolean
  | number
  | string
  | bigint
  | symbol
  | Date
  | URL
  | RegExp
  | Error
  | ArrayBuffer
  | ArrayBufferView
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | Whole
  | ((...args: never[]) => unknown);

/** The values that a program may pass for `T`: the value itself, or promises of it or of its parts at any depth. */
export type Input<T> =
  | T
  | PromiseLike<T>
  | (T extends Leaf
      ? never
      : T extends readonly unknown[]
        ? { readonly [K in keyof T]: Input<T[K]> }
        : T extends object
          ? { readonly [K in keyof T]: {} extends Pick<T, K> ? Input<T[K]> | undefined : Input<T[K]> }
          : never);

/** Path of property names; `*` stands for any name. */
export type PropPath = readonly string[];

/** The part of the Standard Schema interface (version 1) that the engine calls; zod, valibot and arktype have it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** Result of a schema: the value it produced, or its issues with the props. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One issue of a schema with the props. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * Validates props, or the input of a stage, with a schema and returns the result. @throws EngineError `INVALID_PROPS`
 * with every issue and its path
 */
export async function validate(
  schema: StandardSchema,
  props: unknown,
  fqn: string,
  what: "props" | "input" = "props",
): Promise<unknown> {
  const result = await schema["~standard"].validate(props);
  if (!result.issues) return result.value;
  const lines = result.issues.map(({ message, path }) => `\n  - ${pathText(what, path)}: ${message}`);
  const verb = what === "props" ? "are" : "is";
  throw new EngineError("INVALID_PROPS", `The ${what} of "${fqn}" ${verb} not valid:${lines.join("")}`, { fqn });
}

function pathText(what: string, path: SchemaIssue["path"] = []): string {
  return [what, ...path.map((step) => String(typeof step === "object" ? step.key : step))].join(".");
}
