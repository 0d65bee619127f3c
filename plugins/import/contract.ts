/**
 * The model of a project of another tool. A reader of a tool's state makes it, and everything after it is the same for
 * all tools: the choice of kinds and props, the records, and the program.
 */

/** Key of one of several instances, such as `"eu"` of `for_each` or `0` of `count`. */
export type InstanceKey = string | number;

/** One step to a scope: a module call or a component, and its instance if there are several. */
export interface ScopeStep {
  readonly name: string;
  readonly key?: InstanceKey;
}

/** The steps from the root of the project; empty for the root. */
export type ScopePath = readonly ScopeStep[];

/** A project as its tool recorded it. Nothing in it is checked against a provider yet. */
export interface Imported {
  readonly source: ImportSource;
  /** All scopes except the root, each after its parent. */
  readonly scopes: readonly ImportedScope[];
  /** Every resource that a program can declare, each with another {@link ImportedResource.address}. */
  readonly resources: readonly ImportedResource[];
  readonly dataSources: readonly ImportedResource[];
  /**
   * Absent if the source records dependencies. `inferred`: the reader guessed them. `unknown`: they are guessed once
   * the values are known.
   */
  readonly dependencies?: "inferred" | "unknown";
  /** Outputs of the project itself. */
  readonly outputs: readonly ImportedOutput[];
  /** Everything that cannot be carried over. A single refusal stops the import before anything is written. */
  readonly refusals: readonly Refusal[];
  /** Sentences for the user about settings that the source does not record, such as `prevent_destroy`. */
  readonly notes: readonly string[];
}

/** The origin of an {@link Imported}. */
export interface ImportSource {
  /** E.g. `terraform`, `opentofu`, `pulumi`. */
  readonly tool: string;
  readonly toolVersion?: string;
  /** The path, the URL or `standard input`, for messages. */
  readonly place: string;
  /** Name of the project, and of the stage or stack, if the tool has them. */
  readonly app?: string;
  readonly stage?: string;
  /** True for a list of resources to adopt. */
  readonly isList?: true;
  /** Identity of the state, and number of the copy, if the tool has them. */
  readonly lineage?: string;
  readonly serial?: number;
}

export interface ImportedScope {
  readonly path: ScopePath;
  /** Type of the component, if the tool records it. */
  readonly type?: string;
}

/** One instance of a resource or a data source. */
export interface ImportedResource {
  /** Name in the source, e.g. `module.net["eu"].aws_subnet.a[0]`. Unique among resources and data sources. */
  readonly address: string;
  readonly scope: ScopePath;
  readonly name: string;
  readonly key?: InstanceKey;
  /** The source's name of the type, e.g. `postgresql_role`. */
  readonly type: string;
  /** Absent for a type without a provider of Terraform. */
  readonly provider?: ImportedProvider;
  readonly value: RecordedValue | FoundById | BridgedValue | PlainValue;
  /** Addresses of the resources and data sources that it was made from, all or only the direct ones. */
  readonly dependencies: readonly string[];
  /**
   * `tainted`: its create failed half-way, so that the tool would replace it. `deposed`: an old copy that the tool
   * would delete. Both are refused.
   */
  readonly status: "ready" | "tainted" | "deposed";
  /** True if the tool refuses to delete it. */
  readonly protect?: true;
  /** True if the tool keeps the real resource when it is no longer declared. */
  readonly retain?: true;
}

/** A provider of Terraform and OpenTofu that manages a resource. */
export interface ImportedProvider {
  /** `host/namespace/type`. */
  readonly source: string;
  /** Version that wrote the state, if the tool records it. */
  readonly version?: string;
  /** Name of one of several configurations. Default: the only one. */
  readonly alias?: string;
}

/** The value of a resource in the source, in the provider's names. */
export interface RecordedValue {
  readonly by: "state";
  /** JSON of an object with exact numbers. */
  readonly json?: string;
  /** Instead of {@link json}: the flat form of states that were written before Terraform 0.12. */
  readonly flatmap?: Readonly<Record<string, string>>;
  readonly schemaVersion: number;
  /** Bytes that the provider keeps beside the value. */
  readonly private?: Uint8Array;
  /** Paths of values that are secret although the provider's schema does not say so. */
  readonly sensitive: readonly SensitivePath[];
  /** Names of the members that were configured, if the source records them. */
  readonly configured?: readonly string[];
}

/** A resource of which the source records only the provider's id. The provider is asked for its value. */
export interface FoundById {
  readonly by: "id";
  readonly importId: string;
}

/**
 * A value of a tool that renames what a provider of Terraform returns. The provider's schema tells how to rename it
 * back.
 */
export interface BridgedValue {
  readonly by: "bridge";
  /** Names that the type may have at the provider, the most likely one first. */
  readonly types: readonly string[];
  /** In camelCase, with plural names of lists. Secrets are {@link Sensitive}. */
  readonly output: Readonly<Record<string, unknown>>;
  /** Names of the members that the program passed. */
  readonly inputs: readonly string[];
  readonly schemaVersion: number;
  readonly private?: Uint8Array;
}

/**
 * The value of a resource whose type has no provider of Terraform. Secrets are {@link Sensitive}; dates and bytes are
 * `Date` and `Uint8Array`.
 */
export interface PlainValue {
  readonly by: "value";
  readonly props: unknown;
  readonly output: unknown;
}

/** A secret value. The program reads it from the environment. */
export class Sensitive {
  constructor(readonly value: unknown) {}
}

/** Steps in the provider's names, e.g. `["login", 0, "password"]`. */
export type SensitivePath = readonly (string | number)[];

export interface ImportedOutput {
  readonly name: string;
  /** Parsed JSON. A number that JavaScript would round is a `bigint` or `Digits`. */
  readonly value: unknown;
  readonly isSensitive: boolean;
}

/** A part of the source that cannot be carried over safely. */
export interface Refusal {
  readonly address: string;
  /** A clause, e.g. `its last create failed`. */
  readonly reason: string;
  /** A sentence in the imperative. */
  readonly advice: string;
}

/** Reads the state of one tool. */
export interface Reader {
  /** Name of the format for messages. */
  readonly format: string;
  /** True for a text of this format, also for a damaged one. Looks at the beginning and never throws. */
  recognises(text: string): boolean;
  /**
   * Reads a state. It does not change the source and starts no other program.
   *
   * @throws EngineError `IMPORT_REFUSED` if the text is damaged, of another version, or cannot be decrypted
   */
  read(text: string, settings: ReadSettings): Promise<Imported>;
}

export interface ReadSettings {
  /** The path, the URL or `standard input`. */
  readonly place: string;
  /** Passphrase of an encrypted state. */
  readonly passphrase?: string;
  /** Types at providers of Terraform, by the tokens of Pulumi. */
  readonly types?: ReadonlyMap<string, string>;
}
