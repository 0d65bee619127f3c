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
import type { DestroySignal, ReplaceSignal } from "../resource/index.js";
import type { Change } from "../state/index.js";
import type { Admission } from "./admission.js";
import type { App } from "./app.js";
import type { Declared } from "./declared.js";

/** One call of a resource type in the program. Its props go beside it: what is made of them on the way takes their place. */
export interface Declaration {
  readonly app: App;
  readonly scope: Scope;
  readonly definition: Definition;
  readonly ref: ResourceRef;
  readonly key: string;
  readonly options: ResourceOptions;
  readonly declared: Declared;
}

/**
 * A declaration whose props are known and compared with the recorded ones. From here on they are what is recorded: the
 * program may go on to change its own, and must not see what a handler does to them.
 */
export interface Compared extends Declaration {
  readonly encoded: Encoded;
  /** The same without `ignoreChanges`: what a replacement is made with. */
  readonly declaredProps: Encoded;
  /** Uid of the record that the props belong to, which may be yet to come. */
  readonly uid: string;
  /** Sorted uids of what its props and `dependsOn` refer to. */
  readonly refs: readonly string[];
  /** JSON Pointers of the props that differ from the last good ones. */
  readonly changes: readonly string[];
}

/** A declaration whose handler is going to run: it has its place in the order of the program, and waits. */
export interface Task extends Compared {
  readonly positioned: Positioned;
  readonly admission: Admission;
  /** Calls of its handler so far in this run, the one to come included; absent for the first. */
  readonly tries?: number;
  /** True if each attempt under its token, all of them in this run, has said that it made nothing (`NOT_CREATED`). */
  readonly hasMadeNothing?: boolean;
}

/** How a handler asked to end. */
export type Signal = ReplaceSignal | DestroySignal;

export interface FoundOutput {
  readonly output: unknown;
  /** It is as declared: no handler has to run. */
  readonly isRight: boolean;
}

/** A create, an update, a replace or an adoption that is to happen: what its intent records, and what its handler is called for. */
export interface Execution {
  readonly task: Task;
  readonly action: "create" | "update" | "replace" | "adopt";
  readonly phase: "create" | "update";
  readonly recovering: boolean;
  /** The record that the intent leaves. */
  readonly record: ResourceRecord;
  /** Further changes of the intent, about other records; made when the intent is written. */
  readonly aside?: (() => readonly Change[]) | undefined;
  /** Undoes the intent where the handler never started. Default: the record goes. */
  readonly revert?: readonly Change[] | undefined;
  /** Set where the output is not the recorded one, but what `read` found. */
  readonly found?: FoundOutput | undefined;
  /** The copy that is replaced. */
  readonly old?: ResourceRecord;
  /** True where an update asked for this: its intent stands, and it was emitted as started. */
  readonly isContinued?: boolean;
  /** @throws what keeps it from being done at all */
  refuse?(): void | Promise<void>;
  /** What has to be done when nobody has vetoed, and before the intent. */
  prepare?(): Promise<void>;
  /** Goes on where the handler asked to end in another way. */
  signalled?(signal: Signal): Promise<unknown>;
}

export type DeleteReason = DeletionContext["reason"];

/** A record that is to go, with what its deletion needs. */
export interface DeleteRequest {
  readonly app: App;
  readonly record: ResourceRecord;
  readonly reason: DeleteReason;
  /** True: the thing itself stays. */
  readonly isRetained?: boolean;
  /** True if plugins were asked about it (`beforeDelete`). */
  readonly isAsked?: boolean | undefined;
}
