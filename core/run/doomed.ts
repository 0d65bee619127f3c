import type { DeletionContext } from "../contract/plugin/hook-contexts.js";
import type { ResourceRecord } from "../contract/record.js";
import type { App } from "./app.js";

export type DeleteReason = DeletionContext["reason"];

/** A record that is to go, with what its deletion needs. */
export interface Doomed {
  readonly app: App;
  readonly record: ResourceRecord;
  readonly reason: DeleteReason;
  /** True: the thing itself stays. */
  readonly isRetained?: boolean;
}
