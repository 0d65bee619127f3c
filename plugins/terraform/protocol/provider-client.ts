import type { CtyType, CtyValue, PathStep } from "../cty/index.js";
import type { ProviderSchema } from "../schema/index.js";
import type { LogLevel } from "./process/index.js";

export type { PathStep } from "../cty/index.js";

/** An error or a warning that comes with an answer of a provider. */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail: string;
  readonly path: readonly PathStep[];
}

/** A value with the type that encodes it. */
export interface Typed {
  readonly type: CtyType;
  readonly value: CtyValue;
}

interface Answer {
  readonly diagnostics: readonly Diagnostic[];
}

/** Reason of a provider to defer a request. Providers defer only if the client allows it, which this one never does. */
export type DeferredReason = "unknown" | "resource-config-unknown" | "provider-config-unknown" | "absent-prerequisite";

export interface PlanInput {
  readonly typeName: string;
  readonly type: CtyType;
  readonly prior: CtyValue;
  readonly proposed: CtyValue;
  readonly config: CtyValue;
  readonly priorPrivate: Uint8Array;
  /** Value of the provider's meta schema. */
  readonly meta?: Typed;
}

export interface PlannedChange extends Answer {
  readonly planned: CtyValue;
  readonly requiresReplace: readonly (readonly PathStep[])[];
  readonly plannedPrivate: Uint8Array;
  /** True for a provider of the older kit, whose values may differ from the plan in tolerated ways. */
  readonly hasLegacyTypes: boolean;
  readonly deferred?: DeferredReason;
}

export interface ApplyInput {
  readonly typeName: string;
  readonly type: CtyType;
  readonly prior: CtyValue;
  readonly planned: CtyValue;
  readonly config: CtyValue;
  readonly plannedPrivate: Uint8Array;
}

export interface AppliedChange extends Answer {
  readonly value: CtyValue;
  readonly private: Uint8Array;
  readonly hasLegacyTypes: boolean;
}

export interface ReadInput {
  readonly typeName: string;
  readonly type: CtyType;
  readonly current: CtyValue;
  readonly private: Uint8Array;
}

export interface ReadAnswer extends Answer {
  /** null if the resource is gone. */
  readonly value: CtyValue;
  readonly private: Uint8Array;
  readonly deferred?: DeferredReason;
}

/** A state recorded by any version of the provider. */
export interface RawState {
  readonly json?: Uint8Array;
  readonly flatmap?: Readonly<Record<string, string>>;
}

export interface ImportedResource {
  readonly typeName: string;
  /** Value, decoded by the schema of `typeName`. */
  readonly value: CtyValue;
  readonly private: Uint8Array;
}

/**
 * One provider process, in protocol 5 or 6, with the same methods for both. Errors of the provider are diagnostics. A
 * method rejects if the connection fails.
 *
 * @throws EngineError `PROVIDER_FAILED` if the process has ended, hangs, or violates the protocol
 */
export interface ProviderClient {
  readonly protocol: 5 | 6;
  /** True once its process has ended, by itself or by {@link close}. */
  readonly hasEnded: boolean;
  /** Returns the schema, which is requested once and cached. */
  schema(signal?: AbortSignal): Promise<ProviderSchema>;
  validateProvider(config: Typed, signal?: AbortSignal): Promise<Answer & { readonly prepared?: CtyValue }>;
  configure(config: Typed, signal?: AbortSignal): Promise<Answer>;
  validateResource(typeName: string, config: Typed, signal?: AbortSignal): Promise<Answer>;
  validateDataSource(typeName: string, config: Typed, signal?: AbortSignal): Promise<Answer>;
  validateEphemeral(typeName: string, config: Typed, signal?: AbortSignal): Promise<Answer>;
  upgrade(
    input: { readonly typeName: string; readonly type: CtyType; readonly version: number; readonly raw: RawState },
    signal?: AbortSignal,
  ): Promise<Answer & { readonly value: CtyValue }>;
  plan(input: PlanInput, signal?: AbortSignal): Promise<PlannedChange>;
  apply(input: ApplyInput, signal?: AbortSignal): Promise<AppliedChange>;
  read(input: ReadInput, signal?: AbortSignal): Promise<ReadAnswer>;
  /** @param types the types of the resources that may be among the imported */
  import(
    input: { readonly typeName: string; readonly id: string; readonly types: (typeName: string) => CtyType },
    signal?: AbortSignal,
  ): Promise<Answer & { readonly imported: readonly ImportedResource[] }>;
  move(
    input: {
      readonly sourceProvider: string;
      readonly sourceType: string;
      readonly sourceVersion: number;
      readonly source: RawState;
      readonly sourcePrivate: Uint8Array;
      readonly typeName: string;
      readonly type: CtyType;
    },
    signal?: AbortSignal,
  ): Promise<Answer & { readonly value: CtyValue; readonly private: Uint8Array }>;
  readDataSource(typeName: string, config: Typed, signal?: AbortSignal): Promise<Answer & { readonly value: CtyValue }>;
  openEphemeral(
    typeName: string,
    config: Typed,
    signal?: AbortSignal,
  ): Promise<Answer & { readonly value: CtyValue; readonly private: Uint8Array; readonly renewAt?: Date }>;
  renewEphemeral(
    typeName: string,
    privateBytes: Uint8Array,
    signal?: AbortSignal,
  ): Promise<Answer & { readonly private: Uint8Array; readonly renewAt?: Date }>;
  closeEphemeral(typeName: string, privateBytes: Uint8Array, signal?: AbortSignal): Promise<Answer>;
  /** @throws EngineError `PROVIDER_REFUSED`, with the position of the argument if the provider gives one */
  call(name: string, args: readonly Typed[], returns: CtyType, signal?: AbortSignal): Promise<CtyValue>;
  /** Adds a line of the engine to the log of the provider, each text once. */
  note(level: LogLevel, text: string): void;
  /** Asks the provider to cancel its running operations. */
  stop(): Promise<void>;
  /** Ends the process: asks it first, and kills it after two seconds. */
  close(): Promise<void>;
}
