/** Performs the operations of a run that only plans: it collects them and changes nothing. */

import { ignore, type ResourceRef, unknownValue } from "../../core/base/index.js";
import { holdsUnknown, withMarkers } from "../../core/codec/index.js";
import {
  type Encoded,
  type EventBus,
  type Plan,
  type ResourceRecord,
  type StandardSchema,
  type StatePosition,
  validate,
} from "../../core/contract/index.js";
import { descendantsOf } from "../../core/order/index.js";
import {
  type App,
  type DeleteRequest,
  type Operation,
  type Performer,
  withoutProtected,
} from "../../core/run/index.js";
import { Planner } from "./planner.js";
import { simulate } from "./simulate.js";
import { simulateDelete } from "./simulated-delete.js";

export class SimulatedPerformer implements Performer {
  readonly events: EventBus;
  readonly planner: Planner;
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
    this.events = { source: app.events.source, emit: ignore, warn: ignore };
    this.planner = new Planner(app);
  }

  execute(operation: Operation<"begun">): Promise<unknown> {
    return simulate(operation, this.planner);
  }

  /** Continues as if the create had succeeded and finished its children. Its output is unknown. */
  async finishCreate({ app }: Operation<"queued">, before: ResourceRecord): Promise<ResourceRecord> {
    const children = descendantsOf(app.ledger.contents, [before.uid]).filter(({ status }) => status === "creating");
    const set = { status: "ready", attempt: 0 } as const;
    void app.record(children.map(({ uid }) => ({ op: "patch", uid, set, unset: ["claim", "error", "since"] })));
    return { ...before, ...set };
  }

  /** Does nothing: the plan lists the resource as deleted, even if the create made nothing. */
  async repeatCreate(): Promise<undefined> {
    return undefined;
  }

  delete(request: DeleteRequest): Promise<void> {
    return simulateDelete(request, this.planner);
  }

  /** Not known before the end of the plan. */
  firstOf(): undefined {
    return undefined;
  }

  rename(...[ref, before]: Parameters<Performer["rename"]>): void {
    this.planner.rename(ref, before);
  }

  keep(record: Pick<ResourceRecord, "kind" | "key">, reason: string): void {
    this.planner.keep(record, reason);
  }

  refuse(errors: readonly unknown[], path = ""): void {
    for (const error of errors) this.#app.run.fail(path, error);
  }

  deletable(records: readonly ResourceRecord[]): readonly ResourceRecord[] {
    return withoutProtected(this.#app, (record, reason) => this.keep(record, reason), records);
  }

  /** Props with unknown values may violate the schema. They are used as they are. */
  async validate(schema: StandardSchema, props: unknown, fqn: string): Promise<unknown> {
    const { hasUnknown, value } = withMarkers(props);
    return hasUnknown ? validate(schema, value, fqn).catch(() => props) : validate(schema, props, fqn);
  }

  isKnown(values: readonly (Encoded | undefined)[]): boolean {
    return !values.some(holdsUnknown);
  }

  unknown(name: string, known?: Readonly<Record<string, unknown>>): unknown {
    this.planner.hasGivenUnknown = true;
    return unknownValue(name, known);
  }

  changing(refs: readonly string[]): readonly ResourceRef[] {
    return refs.flatMap((uid) => this.planner.changing.get(uid) ?? []);
  }

  isExcused(error: unknown): boolean {
    return this.planner.isExcused(error);
  }

  plan(stopped: string | undefined): Plan | undefined {
    return this.planner.plan(stopped);
  }

  get errors(): readonly unknown[] | undefined {
    return this.planner.hasBegun ? this.planner.errors : undefined;
  }
}

/** @param state position of the state that the plan is made from */
export function beginPlan({ run: { performer } }: App, state: StatePosition): void {
  if (performer instanceof SimulatedPerformer) performer.planner.begin(state);
}
