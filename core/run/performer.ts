import type { ResourceRef } from "../base/index.js";
import type { Encoded, Plan, PlannedAction, ResourceRecord, StandardSchema } from "../contract/index.js";
import type { Admission } from "./admission.js";
import type { App } from "./app.js";
import type { DeleteRequest, Execution, Task } from "./task.js";

/** How a run carries out what it has decided: for real, in a plan that notes it, or within what a saved plan holds. */
export interface Performer {
  /** False in a plan: nothing is done, and nothing is emitted but the plan. */
  readonly acts: boolean;
  /** A create, an update, a replace or an adoption; gives the output. */
  execute(execution: Execution): Promise<unknown>;
  /** Finishes an interrupted create as it was begun. @throws what it fails with: its token is kept */
  finishCreate(task: Task, before: ResourceRecord): Promise<ResourceRecord>;
  /** Deletes one resource, or where it is retained forgets it. */
  delete(request: DeleteRequest, admission: Admission): Promise<void>;
  /**
   * By uid, the dependents that a plan that the run keeps to deletes before `old` is replaced or updated, each with its action. Undefined:
   * there are none, or there is no plan.
   */
  firstOf(old: ResourceRecord): ReadonlyMap<string, PlannedAction> | undefined;
  /**
   * To be called before what is recorded under an earlier name is moved.
   *
   * @param before the FQN that it is recorded under
   * @param isPart a handler has declared it
   * @throws EngineError `PLAN_MISMATCH`
   */
  rename(ref: ResourceRef, before: string, isPart: boolean): void;
  /**
   * In a plan: what would be done. Undefined before the state was loaded.
   *
   * @param stopped why nothing is said about what comes after; undefined if the program was followed to its end
   */
  plan?(stopped: string | undefined): Plan | undefined;
  /** In a plan whose state was loaded: what a run would fail with. */
  readonly errors?: readonly unknown[] | undefined;
  /** Of a run with a saved plan: the actions that it has not begun, for its end. */
  undone?(): readonly { readonly fqn: string; readonly action: string; readonly why: string }[];
  /** Something stays that would be deleted otherwise. */
  keep(record: Pick<ResourceRecord, "kind" | "key">, reason: string): void;
  /**
   * The run is refused something: it goes no further, a plan says so and goes on to list the rest.
   *
   * @param path of the scope that this fails
   * @throws the error, or several as an AggregateError
   */
  refuse(errors: readonly unknown[], path?: string): void;
  /** Of all that is to be deleted, what can be, where {@link refuse} has not ended the run. */
  deletable(records: readonly ResourceRecord[]): readonly ResourceRecord[];
  /** Props as a schema makes them. @throws what it finds wrong */
  validate(schema: StandardSchema, props: unknown, fqn: string): Promise<unknown>;
  /** False where one of them holds an unknown value. */
  isKnown(values: readonly (Encoded | undefined)[]): boolean;
  /** What the program is given for a value that is not known before the run. */
  unknown(name: string, known?: Readonly<Record<string, unknown>>): unknown;
  /** Of what is referred to, what a plan would create, update or replace; in a run that is done by then. @param refs uids */
  changing(refs: readonly string[]): readonly ResourceRef[];
  /** True for what a program fails at because it was given such a value. */
  isExcused(error: unknown): boolean;
}

/** What makes plans, and keeps a run to a saved one. */
export interface Planning {
  /** The performer of a new generation of an app that makes a plan. */
  simulated(app: App): Performer;
  /** Called when the state is loaded. @throws EngineError `INVALID_OPTION`, `PLAN_STALE`, `PLAN_FAILED` */
  loaded(app: App): Promise<void>;
  /** Writes a plan that was made to the file that the options name. @throws EngineError `INVALID_OPTION` */
  made(app: App, plan: Plan): Promise<void>;
}
