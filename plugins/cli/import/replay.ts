/** A provider that adopts recorded values: it plans and reads data sources, and never changes anything. */
import { EngineError } from "../../../core/base/index.js";
import { type CtyValue, isEqual } from "../../terraform/cty/index.js";
import type { PlannedChange, ProviderClient } from "../../terraform/protocol/index.js";

/** A resource whose value is settled. */
export interface SettledValue {
  readonly address: string;
  readonly typeName: string;
  readonly value: CtyValue;
  readonly private: Uint8Array;
  /** The configuration of the program, and the provider's plan for it, which changes nothing. */
  readonly config: CtyValue;
  readonly plan: PlannedChange;
  /** What the user can do if the provider would change it after all. */
  readonly advice: string;
}

const NO_DIAGNOSTICS = { diagnostics: [] };

/** @param values by the id that the program imports */
export function replaying(client: ProviderClient, values: ReadonlyMap<string, SettledValue>): ProviderClient {
  const byValue = new Map<CtyValue, SettledValue>([...values.values()].map((one) => [one.value, one]));
  return {
    protocol: client.protocol,
    get hasEnded() {
      return client.hasEnded;
    },
    schema: (signal) => client.schema(signal),
    // The process is configured already.
    validateProvider: async () => NO_DIAGNOSTICS,
    configure: async () => NO_DIAGNOSTICS,
    validateResource: async () => NO_DIAGNOSTICS,
    validateDataSource: (typeName, config, signal) => client.validateDataSource(typeName, config, signal),
    validateEphemeral: (typeName, config, signal) => client.validateEphemeral(typeName, config, signal),
    upgrade: (input, signal) => client.upgrade(input, signal),
    async import({ typeName, id }) {
      const found = values.get(id);
      return { ...NO_DIAGNOSTICS, imported: found ? [{ typeName, value: found.value, private: found.private }] : [] };
    },
    read: async ({ current, private: bytes }) => ({ ...NO_DIAGNOSTICS, value: current, private: bytes }),
    plan(input, signal) {
      const settled = byValue.get(input.prior);
      const isSame = settled !== undefined && isEqual(input.type, settled.config, input.config);
      return isSame ? Promise.resolve(settled.plan) : client.plan(input, signal);
    },
    async apply({ typeName, prior }) {
      const { address = typeName, advice = "" } = byValue.get(prior) ?? {};
      throw new EngineError(
        "IMPORT_REFUSED",
        `The provider would change "${address}" once its references are in place. This command recorded nothing. ${advice}`.trimEnd(),
      );
    },
    move: (input, signal) => client.move(input, signal),
    readDataSource: (typeName, config, signal) => client.readDataSource(typeName, config, signal),
    openEphemeral: (typeName, config, signal) => client.openEphemeral(typeName, config, signal),
    renewEphemeral: (typeName, bytes, signal) => client.renewEphemeral(typeName, bytes, signal),
    closeEphemeral: (typeName, bytes, signal) => client.closeEphemeral(typeName, bytes, signal),
    call: (name, args, returns, signal) => client.call(name, args, returns, signal),
    note: (level, text) => client.note(level, text),
    stop: async () => {},
    // It ends with the import.
    close: async () => {},
  };
}
