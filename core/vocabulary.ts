/** The closed sets of words that options, hooks, events and records share. */

export type Phase = "up" | "destroy" | "read";

export type DestroyStrategy = "sequential" | "parallel";

/** What the engine does about one resource. */
export type Action = "create" | "update" | "replace" | "adopt" | "read" | "skip" | "delete";

/** What a handler is called for. */
export type HandlerPhase = "create" | "update" | "delete";

/** Which resource a hook or an event is about. */
export interface ResourceRef {
  readonly kind: string;
  readonly id: string;
  readonly fqn: string;
}

/** How many resources ended in each way. */
export interface RunSummary {
  readonly created: number;
  readonly updated: number;
  readonly replaced: number;
  readonly adopted: number;
  readonly read: number;
  readonly skipped: number;
  readonly deleted: number;
  readonly retained: number;
  readonly failed: number;
}
