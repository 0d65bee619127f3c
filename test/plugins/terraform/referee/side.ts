/** One of the two that are compared. */
import type { Json, World } from "../fixture/world.ts";
import type { Step } from "./configuration.ts";

export interface PlannedChange {
  /** In OpenTofu's words: `create`, `update`, `delete`, `delete, create`, `create, delete`, `no-op`, `read`. */
  readonly action: string;
  /** Canonical; undefined for what is deleted. */
  readonly planned?: unknown;
}

/** What a step has come to; keys are `TYPE.TAG`. */
export interface Outcome {
  readonly changes: ReadonlyMap<string, PlannedChange>;
  /** What the provider was asked for the plan. */
  readonly plannedBy: readonly Json[];
  readonly appliedBy: readonly Json[];
  /** What is recorded in the end; canonical. */
  readonly states: ReadonlyMap<string, unknown>;
  /** What the plan has failed with: then nothing was applied. */
  readonly refused?: string;
  readonly failure?: string;
}

export interface Side {
  readonly world: World;
  step(step: Step): Promise<Outcome>;
}
