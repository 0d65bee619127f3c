/** Gives workers the store of a fleet, and the inputs of its stages. */
import type { StateStore } from "../../core/contract/index.js";
import { makeDetachedApp, storeOf } from "../../core/engine/index.js";
import { holdsSecret, plugins } from "./parts.js";
import { FleetRecord, inputLocation, type RecordOptions } from "./record.js";
import { RESERVED } from "./reserved.js";

export interface FleetInputs {
  readonly store: StateStore;
  /**
   * Decodes the input of a stage.
   *
   * @param run the fleet run that encoded it
   * @throws EngineError `WRONG_PASSWORD`, `PASSWORD_REQUIRED`, `STATE_CORRUPT`, `STORE_FAILED`
   */
  decode(run: string, stage: string, text: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Runs whose keys are kept at once. */
const MOST_RUNS = 4;

/** Reads the record of the fleet only if an input holds secrets, because a record may be large. */
export async function openInputs(fleet: string, { onWarning: _, ...options }: RecordOptions): Promise<FleetInputs> {
  const given = { ...options, phase: "read", stage: RESERVED, argv: [], telemetry: false, quiet: true } as const;
  const app = makeDetachedApp({ plugins: plugins() }, fleet, given);
  const { store, isOwn } = await storeOf(app, app.options.stateStore).catch(async (error: unknown) => {
    await app.release().catch(() => {});
    throw app.safe(error);
  });
  const records = new Map<string, Promise<FleetRecord>>();

  /** A record that was read before a run began may not have the key of its secrets. */
  const recordOf = (run: string): Promise<FleetRecord> => {
    const known = records.get(run);
    if (known) return known;
    const reading = FleetRecord.read(fleet, { ...options, stateStore: store });
    records.set(run, reading);
    reading.catch(() => records.delete(run));
    for (const [old, record] of records) {
      if (records.size <= MOST_RUNS) break;
      records.delete(old);
      void closed(record);
    }
    return reading;
  };

  return {
    store,
    async decode(run, stage, text) {
      if (holdsSecret(text)) return (await recordOf(run)).decodeInput(stage, text);
      return app.codec.decode(JSON.parse(text), inputLocation(app, stage));
    },
    async close() {
      for (const record of records.values()) await closed(record);
      await app.release();
      if (isOwn) await store.close?.();
    },
  };
}

async function closed(record: Promise<FleetRecord>): Promise<void> {
  await record.then((one) => one.close()).catch(() => {});
}
