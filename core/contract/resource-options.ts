import type { DestroyStrategy } from "../base/index.js";
import type { PendingResource } from "./pending.js";

/**
 * Options of one resource, the third argument of its declaration.
 *
 * Paths of props are names joined by dots, `tags.team`, or JSON Pointers, `/tags/team`; `*` stands for any member, also as
 * in `disks[*].size`. A path means what it leads to with all that is in there.
 */
export interface ResourceOptions {
  /** Resources that must be there before this one, besides those that its props mention. */
  readonly dependsOn?: readonly (PendingResource<unknown> | object)[];
  /** Adopt what exists under this name already. Default: the scope's. */
  readonly adopt?: boolean;
  /**
   * Refuse to delete or replace it. Recorded: it also holds once the resource is no longer declared, until an up
   * declares it without.
   */
  readonly protect?: boolean;
  /** Deleting it only forgets it, with its children: what it stands for stays. Recorded, as `protect` is. */
  readonly retainOnDelete?: boolean;
  /**
   * Paths of props that may differ from what the program says. Neither the program's value nor one that was set elsewhere
   * causes an update. An update of other props gets the value that `read` has just found, or the recorded one. A create and a
   * replacement use the program's value.
   */
  readonly ignoreChanges?: readonly string[];
  /** Paths of props whose change replaces the resource, besides those that its type names. */
  readonly replaceOnChanges?: readonly string[];
  /** A replace deletes the old copy first. Default: false. */
  readonly deleteBeforeReplace?: boolean;
  /**
   * Ids in the same scope, or FQNs, that this resource had before. What is recorded there becomes this resource's,
   * children included, and the thing itself is not touched.
   */
  readonly aliases?: readonly string[];
  /** Milliseconds that one call of a handler may take. Then its signal is aborted, and it has failed. */
  readonly timeout?: number;
  /** Attempts in all, or a policy, for a create, update or delete that fails. Default: one. */
  readonly retry?: number | RetryPolicy;
  /** Update it on every up, changed or not. Default: false. */
  readonly alwaysUpdate?: boolean;
  /** How its children are deleted when it is replaced. Default: the scope's. */
  readonly destroyStrategy?: DestroyStrategy;
}

/** How a handler that fails is called again. What it did may have taken effect: it is told so by `recovering`. */
export interface RetryPolicy {
  /** Calls in all, the first included. */
  readonly attempts: number;
  /** Milliseconds before the second call; doubled before each further one, and shortened at random by up to half. Default: 1000. */
  readonly delay?: number;
  /** The most milliseconds between two calls. Default: 30,000. */
  readonly maxDelay?: number;
  /** False for errors that another call would meet as well. Default: any error is worth another call. */
  readonly when?: (error: unknown) => boolean;
}
