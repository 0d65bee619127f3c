import type { Change } from "../state/index.js";
import type { App } from "./app.js";

/** A ledger that can write no more ends the run by itself; the error at hand says more about the resource. */
export async function tryToRecord(app: App, changes: readonly Change[]): Promise<void> {
  await app.record(changes)?.catch(() => {});
}
