import type { CtyType, CtyValue, PathStep } from "../cty/index.js";
import type { ProviderSchema } from "../schema/index.js";
import type { LogLevel } from "./process/index.js";

export type { PathStep } from "../cty/index.js";

/** What a provider says beside its answer. */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail: string;
  readonly path: readonly PathStep[];
}

/** A value and the type that it is written in. */
export interface Typed {
  readonly type: CtyType;
  readonly value: CtyValue;
}

interface Answer {
  readonly diagnostics: readonly Diagnostic[];
}

/** Why a provider could not do now what it was asked for; it says so only where deferring is allowed, which it is never here. */
export type DeferredReason = "unknown" | "resource-config-unknown" | "provider-config-unknown" | "absent-prerequisite";

export interface PlanInput {
  readonly typeName: string;
  readonly type: CtyType;
  readonly prior: CtyValue;
  readonly proposed: CtyValue;
  readonly config: CtyValue;
  readonly priorPrivate: Uint8Array;
  /** Of the provider's meta schema; null where it has none. */
  readonly meta?: Typed;
}

export interface PlannedChange extends Answer {
  readonly planned: CtyValue;
  readonly requiresReplace: readonly (readonly PathStep[])[];
  readonly plannedPrivate: Uint8Array;
  /** Values by the older kit of providers may differ from what was planned in ways that are borne. */
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
  /** null: it is gone. */
  readonly value: CtyValue;
  readonly private: Uint8Array;
  readonly deferred?: DeferredReason;
}

/** A state as it was recorded by whichever version of the provider. */
export interface RawState {
  readonly json?: Uint8Array;
  readonly flatmap?: Readonly<Record<string, string>>;
}

export interface ImportedResource {
  readonly typeName: string;
  /** In the provider's own types: decoded by the schema of `typeName`. */
  readonly value: CtyValue;
  readonly private: Uint8Array;
}

/**
 * One process of a provider, in protocol 5 or 6: all that is said to it is the same in both. Its errors are diagnostics; what
 * rejects is the connection.
 *
 * @throws EngineError `PROVIDER_FAILED` where the process has ended, hangs or answers what the protocol does not know
 */
export interface ProviderClient {
  readonly protocol: 5 | 6;
  /** True once its process has ended, by itself or by {@link close}. */
  readonly hasEnded: boolean;
  /** Asked for once, kept. */
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
  /** @throws EngineError `PROVIDER_REFUSED`, with the position of the argument where the provider names one */
  call(name: string, args: readonly Typed[], returns: CtyType, signal?: AbortSignal): Promise<CtyValue>;
  /** Adds a line of ours to what the provider logs, each text once. */
  note(level: LogLevel, text: string): void;
  /** Asks it to break off what it is doing. */
  stop(): Promise<void>;
  /** Ends the process: gently, and where it does not obey within two seconds, hard. */
  close(): Promise<void>;
}
