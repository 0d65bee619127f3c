import type { ResourceRecord } from "../contract/index.js";
import type { Signal } from "../handler/index.js";
import type { Task } from "../run/index.js";
import type { Intended } from "./intent.js";

export interface Found {
  readonly output: unknown;
  /** It is as declared: no handler has to run. */
  readonly isRight: boolean;
}

export interface Execution extends Intended {
  readonly task: Task;
  readonly action: "create" | "update" | "replace" | "adopt";
  readonly phase: "create" | "update";
  readonly recovering: boolean;
  /** Set where the output is not the recorded one, but what `read` found. */
  readonly found?: Found;
  /** The copy that is replaced. */
  readonly old?: ResourceRecord;
  /** True where an update asked for this: its intent stands, and it was told as started. */
  readonly isContinued?: boolean;
  /** @throws what keeps it from being done at all */
  refuse?(): void;
  /** What has to be done when nobody has vetoed, and before the intent. */
  prepare?(): Promise<void>;
  /** Goes on where the handler asked to end in another way. */
  signalled?(signal: Signal): Promise<unknown>;
}
