/**
 * A project whose kinds and props are settled: the last form that depends on a tool. From here on, one writer makes the
 * program, and one recorder the records.
 */
import type { Imported, ImportedOutput, InstanceKey, ScopePath } from "../contract.js";

export interface SettledProject {
  /** Name of the app. */
  readonly app: string;
  readonly providers: readonly SettledProvider[];
  /** Resources and data sources. */
  readonly resources: readonly SettledResource[];
  readonly outputs: readonly ImportedOutput[];
  /** As in the imported project. */
  readonly dependencies?: Imported["dependencies"];
}

/** One configuration of a provider. The program declares it in its root. */
export interface SettledProvider {
  /** Id of the configuration, unique among the providers. */
  readonly id: string;
  /** True if the program has to pass the id, because it is not the default. */
  readonly isNamed: boolean;
  /** Module that exports the function, as the program imports it, e.g. `./providers/postgresql.js`. */
  readonly module: string;
  readonly functionName: string;
  /** Type that the function returns, e.g. `Postgresql`. */
  readonly typeName: string;
  /** May hold {@link FromEnvironment}. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Names of its values that need no mask. */
  readonly show: readonly string[];
}

export interface SettledResource {
  /** As in the imported project. */
  readonly address: string;
  readonly scope: ScopePath;
  readonly name: string;
  readonly key?: InstanceKey;
  /** Short name of its kind, which tells resources of one name apart, e.g. `role`. */
  readonly kindName: string;
  readonly call: ResourceCall;
  /** In the names of the program. Secrets are {@link Sensitive}. A value that must stay a literal is {@link Fixed}. */
  readonly props: Readonly<Record<string, unknown>>;
  /** Props that the provider could choose itself. */
  readonly chosen?: ReadonlySet<string>;
  /** Members of the output that other resources may refer to, in order of preference. */
  readonly offers: ReadonlyMap<string, unknown>;
  /** Addresses, with or without keys of instances. */
  readonly dependencies: readonly string[];
  /** Options of the declaration, such as `protect`. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Option `importId` of the adoption that makes the record. */
  readonly importId?: string;
  /** Record of a type that cannot adopt: its kind, and its output in which secrets are {@link Sensitive}. */
  readonly record?: { readonly kind: string; readonly output: unknown };
}

/** The function that declares a resource. */
export type ResourceCall =
  | { readonly by: "provider"; readonly provider: string; readonly member: string; readonly isData: boolean }
  | { readonly by: "type"; readonly module: string; readonly functionName: string };

/** A value of which the type of the prop allows only some, so that no variable of a wider type can hold it. */
export class Fixed {
  constructor(readonly value: unknown) {}
}

/** A number that no number of JavaScript holds exactly. The engine takes its digits as a text. */
export class Digits {
  constructor(readonly text: string) {}
}

/** A secret text that the user wants to pass by a variable of the environment. */
export class FromEnvironment {
  constructor(
    readonly variable: string,
    /** The present value. */
    readonly value: string,
  ) {}
}

/** Copies a configuration, and replaces its variables of the environment. */
export function withoutVariables(value: unknown, replaced: (variable: FromEnvironment) => unknown): unknown {
  if (value instanceof FromEnvironment) return replaced(value);
  if (Array.isArray(value)) return value.map((one) => withoutVariables(one, replaced));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutVariables(one, replaced)]));
}
