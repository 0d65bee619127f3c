/** What the steps of the lifecycle hand to each other. */

import type { ResourceRef } from "../base/index.js";
import type {
  Definition,
  DeletionContext,
  Encoded,
  ResourceOptions,
  ResourceRecord,
  Scope,
} from "../contract/index.js";
import type { Positioned } from "../order/index.js";
import type { Admission } from "./admission.js";
import type { App } from "./app.js";
import type { Declared } from "./declared.js";

/** One call of a resource type in the program. */
export interface Declaration {
  readonly app: App;
  readonly scope: Scope;
  readonly definition: Definition;
  readonly ref: ResourceRef;
  readonly key: string;
  readonly props: unknown;
  readonly options: ResourceOptions;
  readonly declared: Declared;
}

/**
 * A declaration whose props are known and compared with the recorded ones. From here on they are what is recorded: the
 * program may go on to change its own, and must not see what a handler does to them.
 */
export interface Compared extends Omit<Declaration, "props"> {
  readonly encoded: Encoded;
  /** Whose props they are: the record's, or that of the one to come. */
  readonly uid: string;
  /** Sorted uids of what its props and `dependsOn` refer to. */
  readonly refs: readonly string[];
  /** JSON Pointers of the props that differ from the last good ones. */
  readonly changes: readonly string[];
}

/** A declaration whose handler is going to run: it has its place in the order of the program, and waits. */
export interface Task extends Compared {
  readonly placed: Positioned;
  readonly admission: Admission;
  /** Calls of its handler so far in this run, the one to come included; absent for the first. */
  readonly tries?: number;
}

export type DeleteReason = DeletionContext["reason"];

/** A record that is to go, with what its deletion needs. */
export interface DeleteRequest {
  readonly app: App;
  readonly record: ResourceRecord;
  readonly reason: DeleteReason;
  /** True: the thing itself stays. */
  readonly isRetained?: boolean;
}
