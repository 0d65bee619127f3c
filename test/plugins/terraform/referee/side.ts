/** One of the two sides that are compared. */
import type { Json, World } from "../fixture/world.ts";
import type { Step } from "./configuration.ts";

export interface PlannedChange {
  /** In OpenTofu's words: `create`, `update`, `delete`, `delete, create`, `create, delete`, `no-op`, `read`. */
  readonly action: string;
  /** Canonical; undefined for a delete. */
  readonly planned?: unknown;
}

/** Outcome of a step; keys are `TYPE.TAG`. */
export interface Outcome {
  readonly changes: ReadonlyMap<string, PlannedChange>;
  /** Questions of the plan. */
  readonly plannedBy: readonly Json[];
  readonly appliedBy: readonly Json[];
  /** Recorded states in the end; canonical. */
  readonly states: ReadonlyMap<string, unknown>;
  /** Error of the plan: then nothing was applied. */
  readonly refused?: string;
  readonly failure?: string;
}

export interface Side {
  readonly world: World;
  step(step: Step): Promise<Outcome>;
}
