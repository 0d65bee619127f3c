/** Client of a provider process over gRPC. */
import { EngineError } from "../../../../core/base/index.js";
import type { CtyType, CtyValue } from "../../cty/index.js";
import type { ProviderSchema } from "../../schema/index.js";
import type { Received } from "../messages/index.js";
import type { LogLevel } from "../process/index.js";
import type { ProviderClient, Typed } from "../provider-client.js";
import type { Rpcs } from "./rpcs.js";
import {
  bytesIn,
  CAPABILITIES,
  deferredIn,
  diagnosticsIn,
  dynamicValue,
  pathIn,
  providerSchema,
  rawState,
  renewalIn,
  valueIn,
} from "./schema.js";

/** The version reported to providers, which derive the features of the client from it. */
const TERRAFORM_VERSION = "1.11.0";

type Answered<Method extends keyof ProviderClient> = ProviderClient[Method] extends (...args: never[]) => infer Answer
  ? Answer
  : never;

type Given<Method extends keyof ProviderClient> = ProviderClient[Method] extends (...args: infer Args) => unknown
  ? Args
  : never;

export class GrpcClient implements ProviderClient {
  readonly #rpcs: Rpcs;
  readonly #process: OwnProcess;
  #schema: Promise<ProviderSchema> | undefined;
  /** Providers with a schema of meta values expect one in each request, even if null. */
  #hasMeta = false;
  readonly #noted = new Set<string>();

  constructor(rpcs: Rpcs, process: OwnProcess) {
    this.#rpcs = rpcs;
    this.#process = process;
  }

  get hasEnded(): boolean {
    return this.#process.hasEnded;
  }

  get protocol(): 5 | 6 {
    return this.#rpcs.protocol;
  }

  note(level: LogLevel, text: string): void {
    if (this.#noted.has(text)) return;
    this.#noted.add(text);
    this.#process.note(level, text);
  }

  schema(signal?: AbortSignal): Promise<ProviderSchema> {
    this.#schema ??= this.#askForSchema(signal).catch((error: unknown) => {
      this.#schema = undefined;
      throw error;
    });
    return this.#schema;
  }

  async validateProvider(config: Typed, signal?: AbortSignal): Answered<"validateProvider"> {
    return this.#rpcs.call("validateProvider", { config: dynamicValue(config) }, signal, (answer) => {
      const { preparedConfig, diagnostics } = answer;
      const prepared = preparedConfig ? { prepared: valueIn(config.type, preparedConfig) } : {};
      return { diagnostics: diagnosticsIn(diagnostics), ...prepared };
    });
  }

  async configure(config: Typed, signal?: AbortSignal): Answered<"configure"> {
    const given = { config: dynamicValue(config), clientCapabilities: CAPABILITIES };
    const request = { terraformVersion: TERRAFORM_VERSION, ...given };
    return this.#rpcs.call("configure", request, signal, said);
  }

  async validateResource(typeName: string, config: Typed, signal?: AbortSignal): Answered<"validateResource"> {
    const request = { typeName, config: dynamicValue(config), clientCapabilities: CAPABILITIES };
    return this.#rpcs.call("validateResource", request, signal, said);
  }

  async validateDataSource(typeName: string, config: Typed, signal?: AbortSignal): Answered<"validateDataSource"> {
    return this.#rpcs.call("validateDataSource", { typeName, config: dynamicValue(config) }, signal, said);
  }

  async validateEphemeral(typeName: string, config: Typed, signal?: AbortSignal): Answered<"validateEphemeral"> {
    return this.#rpcs.call("validateEphemeral", { typeName, config: dynamicValue(config) }, signal, said);
  }

  async upgrade({ typeName, type, version, raw }: Given<"upgrade">[0], signal?: AbortSignal): Answered<"upgrade"> {
    const request = { typeName, version, rawState: rawState(raw) };
    return this.#rpcs.call("upgrade", request, signal, ({ upgradedState, diagnostics }) => {
      return { value: valueIn(type, upgradedState), diagnostics: diagnosticsIn(diagnostics) };
    });
  }

  async plan(input: Given<"plan">[0], signal?: AbortSignal): Answered<"plan"> {
    const { typeName, type, prior, proposed, config, priorPrivate, meta } = input;
    const request = {
      typeName,
      priorState: dynamicValue({ type, value: prior }),
      proposedNewState: dynamicValue({ type, value: proposed }),
      config: dynamicValue({ type, value: config }),
      priorPrivate,
      ...this.#meta(meta),
      clientCapabilities: CAPABILITIES,
    };
    return this.#rpcs.call("plan", request, signal, (answer) => ({
      planned: valueIn(type, answer.plannedState),
      requiresReplace: answer.requiresReplace.map(pathIn),
      plannedPrivate: bytesIn(answer.plannedPrivate),
      hasLegacyTypes: answer.legacyTypeSystem,
      diagnostics: diagnosticsIn(answer.diagnostics),
      ...deferredIn(answer.deferred),
    }));
  }

  async apply(input: Given<"apply">[0], signal?: AbortSignal): Answered<"apply"> {
    const { typeName, type, prior, planned, config, plannedPrivate } = input;
    const request = {
      typeName,
      priorState: dynamicValue({ type, value: prior }),
      plannedState: dynamicValue({ type, value: planned }),
      config: dynamicValue({ type, value: config }),
      plannedPrivate,
      ...this.#meta(),
    };
    return this.#rpcs.call("apply", request, signal, (answer) => ({
      value: valueIn(type, answer.newState),
      private: bytesIn(answer.private),
      hasLegacyTypes: answer.legacyTypeSystem,
      diagnostics: diagnosticsIn(answer.diagnostics),
    }));
  }

  async read(input: Given<"read">[0], signal?: AbortSignal): Answered<"read"> {
    const { typeName, type, current } = input;
    const currentState = dynamicValue({ type, value: current });
    const given = { ...this.#meta(), clientCapabilities: CAPABILITIES };
    const request = { typeName, currentState, private: input.private, ...given };
    return this.#rpcs.call("read", request, signal, (answer) => ({
      value: valueIn(type, answer.newState),
      private: bytesIn(answer.private),
      diagnostics: diagnosticsIn(answer.diagnostics),
      ...deferredIn(answer.deferred),
    }));
  }

  async import({ typeName, id, types }: Given<"import">[0], signal?: AbortSignal): Answered<"import"> {
    const request = { typeName, id, clientCapabilities: CAPABILITIES };
    return this.#rpcs.call("import", request, signal, ({ importedResources, diagnostics }) => ({
      imported: importedResources.map((one) => ({
        typeName: one.typeName,
        value: valueIn(types(one.typeName), one.state),
        private: bytesIn(one.private),
      })),
      diagnostics: diagnosticsIn(diagnostics),
    }));
  }

  async move(input: Given<"move">[0], signal?: AbortSignal): Answered<"move"> {
    const request = {
      sourceProviderAddress: input.sourceProvider,
      sourceTypeName: input.sourceType,
      sourceSchemaVersion: input.sourceVersion,
      sourceState: rawState(input.source),
      targetTypeName: input.typeName,
      sourcePrivate: input.sourcePrivate,
    };
    return this.#rpcs.call("move", request, signal, (answer) => ({
      value: valueIn(input.type, answer.targetState),
      private: bytesIn(answer.targetPrivate),
      diagnostics: diagnosticsIn(answer.diagnostics),
    }));
  }

  async readDataSource(typeName: string, config: Typed, signal?: AbortSignal): Answered<"readDataSource"> {
    const given = { ...this.#meta(), clientCapabilities: CAPABILITIES };
    const request = { typeName, config: dynamicValue(config), ...given };
    return this.#rpcs.call("readDataSource", request, signal, ({ state, diagnostics }) => {
      return { value: valueIn(config.type, state), diagnostics: diagnosticsIn(diagnostics) };
    });
  }

  async openEphemeral(typeName: string, config: Typed, signal?: AbortSignal): Answered<"openEphemeral"> {
    const request = { typeName, config: dynamicValue(config), clientCapabilities: CAPABILITIES };
    return this.#rpcs.call("openEphemeral", request, signal, (answer) => ({
      value: valueIn(config.type, answer.result),
      private: bytesIn(answer.private),
      diagnostics: diagnosticsIn(answer.diagnostics),
      ...renewalIn(answer.renewAt),
    }));
  }

  async renewEphemeral(typeName: string, bytes: Uint8Array, signal?: AbortSignal): Answered<"renewEphemeral"> {
    return this.#rpcs.call("renewEphemeral", { typeName, private: bytes }, signal, (answer) => ({
      private: bytesIn(answer.private),
      diagnostics: diagnosticsIn(answer.diagnostics),
      ...renewalIn(answer.renewAt),
    }));
  }

  async closeEphemeral(typeName: string, bytes: Uint8Array, signal?: AbortSignal): Answered<"closeEphemeral"> {
    return this.#rpcs.call("closeEphemeral", { typeName, private: bytes }, signal, said);
  }

  async call(name: string, args: readonly Typed[], returns: CtyType, signal?: AbortSignal): Promise<CtyValue> {
    const request = { name, arguments: args.map(dynamicValue) };
    return this.#rpcs.call("call", request, signal, ({ result, error }) => {
      if (error) throw functionFailed(name, error);
      return valueIn(returns, result);
    });
  }

  async stop(): Promise<void> {
    const error = await this.#rpcs.call("stop", {}, undefined, (answer) => answer.error);
    if (error) throw new EngineError("PROVIDER_REFUSED", `The provider did not stop: ${error}`);
  }

  close(): Promise<void> {
    return this.#process.end();
  }

  async #askForSchema(signal: AbortSignal | undefined): Promise<ProviderSchema> {
    return this.#rpcs.call("schema", {}, signal, (answer, codec) => {
      const [failed] = diagnosticsIn(answer.diagnostics).filter(({ severity }) => severity === "error");
      if (failed)
        throw new EngineError(
          "PROVIDER_REFUSED",
          `The provider returned no schema: ${failed.summary}. ${failed.detail}`,
        );
      this.#hasMeta = answer.providerMeta !== null;
      return providerSchema(answer, codec);
    });
  }

  #meta(meta?: Typed): { readonly providerMeta?: ReturnType<typeof dynamicValue> } {
    if (meta) return { providerMeta: dynamicValue(meta) };
    return this.#hasMeta ? { providerMeta: dynamicValue({ type: "dynamic", value: null }) } : {};
  }
}

function said({ diagnostics }: Received<"DiagnosticsResponse">): Awaited<Answered<"configure">> {
  return { diagnostics: diagnosticsIn(diagnostics) };
}

function functionFailed(name: string, error: Received<"FunctionError">): EngineError {
  // An absent number means no argument; 0 means the first one.
  const at = Object.hasOwn(error, "functionArgument") ? Number(error.functionArgument) : undefined;
  const where = at === undefined ? "" : ` because of argument ${at + 1}`;
  return new EngineError("PROVIDER_REFUSED", `The function ${name} failed${where}: ${error.text}`);
}

/** The process that belongs to a client. */
interface OwnProcess {
  readonly hasEnded: boolean;
  /** Adds a line to its log. */
  note(level: LogLevel, text: string): void;
  end(): Promise<void>;
}
