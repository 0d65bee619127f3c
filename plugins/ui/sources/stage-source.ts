/** The stages of a store, in the form that the page requests. */
import { isEngineError } from "../../../core/base/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import {
  type HistoryCopy,
  type StageAdmin,
  type StageSummary,
  type StageView,
  stageAdmin,
  stagesOf,
} from "../../admin/index.js";
import { REQUESTS, RESERVED } from "../../fleet/reserved.js";
import type {
  Difference,
  Found,
  FoundNames,
  HistoryRow,
  Neighbourhood,
  ResourceRows,
  ResourceView,
  StageChanges,
  StageHead,
  StageRow,
  ValueAt,
  ValuePart,
} from "../api/index.js";
import { AllNames } from "./all-names.js";
import { Missing } from "./missing.js";
import { SharedReads, whileAwaited } from "./requests.js";
import { changesOf, headOf, inferredOf, neighbourhoodOf, type Range, rowsOf } from "./resource-rows.js";
import { few, membersWithin, placeOf } from "./shown-values.js";
import { bounded, LIMITS, StageViews } from "./stage-views.js";

/** The name of a stage. */
export interface StageName {
  readonly app: string;
  readonly stage: string;
}

/** A place in a resource's values, from a member, an element or a character on. */
export interface Where {
  readonly path: string;
  readonly from: number;
  readonly seq?: number | undefined;
}

/** Answers requests about the stages of a store. Read-only. */
export interface StageSource {
  stages(): Promise<readonly StageRow[]>;
  head(name: StageName): Promise<StageHead>;
  /** @param seq the entry of the view; default: the newest */
  resources(name: StageName, range: Range, seq?: number): Promise<ResourceRows>;
  resource(name: StageName, fqn: string, seq?: number): Promise<ResourceView>;
  /**
   * Returns more of a value that was shown in part.
   *
   * @param where `path` as in {@link Change}, and `from`, the number of a member or character
   */
  part(name: StageName, fqn: string, where: Where): Promise<ValuePart>;
  values(name: StageName, fqn: string): Promise<readonly ValueAt[]>;
  /** @param steps the farthest dependencies and dependents; default: all */
  neighbours(name: StageName, fqn: string, steps?: number): Promise<Neighbourhood>;
  search(name: StageName, text: string): Promise<readonly Found[]>;
  searchAll(text: string): Promise<FoundNames>;
  changes(name: StageName): Promise<StageChanges>;
  history(name: StageName): Promise<readonly HistoryRow[]>;
  difference(name: StageName, from: number, to: number): Promise<Difference>;
  close(): Promise<void>;
}

/** Options for opening the stages of a store. */
export interface StageSourceOptions {
  readonly rootDir?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Returns the admin of a stage, e.g. with its password; the caller closes it. Undefined: the stage is opened without
   * a key.
   */
  readonly adminFor?: ((name: StageName) => StageAdmin | undefined) | undefined;
}

/** The most differences, and the most places that contain a text. */
const MOST_DIFFERENCES = 1000;
const MOST_FOUND = 100;
/** Admins hold only the store, but their names come from requests. */
const MOST_ADMINS = 50;

/** @param store belongs to the caller */
export function stageSource(store: StateStore, options: StageSourceOptions = {}): StageSource {
  return new StoreStages(store, options);
}

class StoreStages implements StageSource {
  readonly #store: StateStore;
  readonly #options: StageSourceOptions;
  readonly #views = new StageViews();
  /** Read again once anything else is recorded: each copy is as large as the state. */
  readonly #histories = new WeakMap<StageView, readonly HistoryCopy[]>();
  readonly #reading = new SharedReads<StageView, readonly HistoryCopy[]>();
  readonly #changes = new WeakMap<StageView, StageChanges>();
  readonly #changing = new SharedReads<StageView, StageChanges>();
  readonly #admins = new Map<string, StageAdmin>();
  readonly #names = new AllNames({
    stages: () => this.#rows(),
    // Not kept as a view: only its names are.
    resources: async (name) => (await this.#admin(name).view()).list(),
  });

  constructor(store: StateStore, options: StageSourceOptions) {
    this.#store = whileAwaited(store);
    this.#options = options;
  }

  async stages(): Promise<readonly StageRow[]> {
    const rows = await this.#rows();
    const known = rows.filter(({ stage }) => stage !== REQUESTS);
    // Fleets come first: they stand for many of the others.
    const isFleet = ({ stage }: StageSummary): number => (stage === RESERVED ? 0 : 1);
    const shown = known.sort((one, other) => isFleet(one) - isFleet(other));
    return Promise.all(shown.map((row) => this.#withSeal(row)));
  }

  /** Deriving a key takes a while, so only stages are verified whose key is known, or was derived to show them. */
  async #withSeal(row: StageSummary): Promise<StageRow> {
    const { app, stage, isSealed, problem } = row;
    const fleet = stage === RESERVED ? { isFleet: true as const } : {};
    const unverified = { ...row, ...fleet, ...(isSealed && { seal: "unverified" as const }) };
    const isKnown = this.#options.adminFor?.({ app, stage }) ?? this.#admins.has(keyOf({ app, stage }));
    if (problem || !isKnown) return unverified;
    try {
      const { view } = await this.#present({ app, stage });
      // Use the verified values, not the unverified row.
      const lastRun = view.run ?? row.lastRun;
      return { ...row, ...fleet, resources: view.list().length, ...(lastRun && { lastRun }), seal: view.seal };
    } catch (error) {
      if (!isEngineError(error, "STATE_FORGED")) return unverified;
      return { app, stage, ...fleet, seal: "forged", problem: { code: error.code, message: error.message } };
    }
  }

  async head(name: StageName): Promise<StageHead> {
    const { view } = await this.#present(name);
    const { seq, seal } = view;
    const holder = await view.holder();
    if (seq === 0 && !holder) throw await this.#missing(name);
    return headOf({ ...name, seq, seal, resources: view.list(), holder, lastRun: view.run });
  }

  async resources(name: StageName, range: Range, seq?: number): Promise<ResourceRows> {
    const { view } = await this.#at(name, seq);
    return rowsOf({ seq: view.seq, resources: view.list(), root: `${name.app}/${name.stage}` }, range);
  }

  async resource(name: StageName, fqn: string, seq?: number): Promise<ResourceView> {
    const { view, adjacency } = await this.#at(name, seq);
    const { resources } = await view.show(fqn, LIMITS).catch((error: unknown) => {
      if (!isEngineError(error, "NOT_RECORDED")) throw error;
      const others = view.list().map((one) => one.fqn);
      throw new Missing(`"${fqn}" is not in the state of "${name.app}/${name.stage}".`, fqn, others);
    });
    if (resources.length === 0) {
      const inside = view.list().flatMap((one) => (one.fqn.startsWith(`${fqn}/`) ? one.fqn : []));
      throw new Missing(`"${fqn}" is a scope, not a resource.`, fqn, inside);
    }
    const copies = resources.map((copy) => ({
      ...copy,
      // Values were cut already: only texts are left to shorten.
      ...membersWithin(copy, ["props", "lastGoodProps", "output", "error"], LIMITS.size * 2),
      data: Object(bounded(copy.data, LIMITS.size * 2)),
      dependents: copy.dependents.slice(0, MOST_DIFFERENCES),
      children: copy.children.slice(0, MOST_DIFFERENCES),
      dependsOn: copy.dependsOn.slice(0, MOST_DIFFERENCES),
    }));
    const holder = seq === undefined ? await view.holder() : undefined;
    const inferred = inferredOf(fqn, adjacency(), MOST_DIFFERENCES);
    return { seq: view.seq, seal: view.seal, copies, inferred, ...(holder && { holder }) };
  }

  async part(name: StageName, fqn: string, { path, from, seq }: Where): Promise<ValuePart> {
    const { view } = await this.#at(name, seq);
    const part = view.part(fqn, { ...LIMITS, path, from });
    // Return as much of a text as was requested.
    return typeof part.value === "string" ? part : { ...part, value: bounded(part.value, LIMITS.size * 2) };
  }

  async values(name: StageName, fqn: string): Promise<readonly ValueAt[]> {
    const values = await this.#admin(name).values(fqn);
    return values.map(({ run, ...value }) => ({ ...value, ...(run && { run }), changes: few(value.changes) }));
  }

  async neighbours(name: StageName, fqn: string, steps?: number): Promise<Neighbourhood> {
    const { view, adjacency } = await this.#present(name);
    const resources = view.list();
    const statuses = new Map(resources.map(({ fqn: one, status }) => [one, status]));
    if (!statuses.has(fqn)) throw new Missing(`"${fqn}" is not in the state.`, fqn, [...statuses.keys()]);
    return neighbourhoodOf(fqn, { adjacency: adjacency(), nodes: view.graph().nodes, statuses, steps });
  }

  async search(name: StageName, text: string): Promise<readonly Found[]> {
    const { view } = await this.#present(name);
    const found = await view.find(text, { most: MOST_FOUND });
    const wanted = text.toLowerCase();
    const runs = (await this.#history(name)).flatMap(({ seq, run }) => {
      const said =
        run && `${run.command} ${run.user}@${run.host} ${run.since} ${run.ci ?? ""} ${run.commit ?? ""}`.trimEnd();
      return said?.toLowerCase().includes(wanted) ? [{ what: "run", fqn: String(seq), excerpt: said } as const] : [];
    });
    return [...found.map((one) => ({ ...one, excerpt: String(bounded(one.excerpt)) })), ...runs].slice(0, MOST_FOUND);
  }

  searchAll(text: string): Promise<FoundNames> {
    return this.#names.find(text, MOST_FOUND);
  }

  async changes(name: StageName): Promise<StageChanges> {
    const { view } = await this.#present(name);
    const known = this.#changes.get(view);
    if (known) return known;
    const changes = await this.#changing.once(view, async () => {
      const last = await this.#admin(name).lastChanges();
      return changesOf({ seq: view.seq, resources: view.list() }, last);
    });
    this.#changes.set(view, changes);
    return changes;
  }

  async history(name: StageName): Promise<readonly HistoryRow[]> {
    const copies = await this.#history(name);
    return copies.map((copy) => ({ ...copy, restore: `engine state restore ${copy.seq} ${placeOf(name)}` }));
  }

  async difference(name: StageName, from: number, to: number): Promise<Difference> {
    const found = await this.#admin(name).difference(from, to, { most: MOST_DIFFERENCES });
    return { ...found, resources: found.resources.map((one) => ({ ...one, changes: few(one.changes) })) };
  }

  async close(): Promise<void> {
    const admins = [...this.#admins.values()];
    this.#admins.clear();
    await Promise.allSettled(admins.map((admin) => admin.close()));
  }

  async #history(name: StageName): Promise<readonly HistoryCopy[]> {
    const { view } = await this.#present(name);
    const known = this.#histories.get(view);
    if (known) return known;
    const history = await this.#reading.once(view, () => this.#admin(name).history());
    this.#histories.set(view, history);
    return history;
  }

  #rows(): Promise<readonly StageSummary[]> {
    const { rootDir, env } = this.#options;
    const where = { ...(rootDir === undefined ? {} : { rootDir }), ...(env && { env }) };
    return stagesOf(this.#store, { all: true, ...where });
  }

  /** Returns the failure for a stage that has no state. */
  async #missing({ app, stage }: StageName): Promise<Missing> {
    const rows = (await this.#rows()).filter(({ isEmpty, stage: one }) => !isEmpty && one !== REQUESTS);
    const names = rows.flatMap((one) => (one.stage === RESERVED ? [] : `${one.app}/${one.stage}`));
    const own = names.filter((one) => one.startsWith(`${app}/`));
    const name = `${app}/${stage}`;
    return new Missing(`There is no stage "${name}" in this store.`, name, [...own, ...names]);
  }

  #present(name: StageName) {
    return this.#views.present(this.#admin(name));
  }

  #at(name: StageName, seq: number | undefined) {
    return seq === undefined ? this.#present(name) : this.#views.at(this.#admin(name), seq);
  }

  #admin({ app, stage }: StageName): StageAdmin {
    const given = this.#options.adminFor?.({ app, stage });
    if (given) return given;
    const key = keyOf({ app, stage });
    const known = this.#admins.get(key);
    const { rootDir, env } = this.#options;
    const admin =
      known ??
      stageAdmin(this.#store, { app, stage, ...(rootDir === undefined ? {} : { rootDir }), ...(env && { env }) });
    // The last requested admin comes last.
    this.#admins.delete(key);
    this.#admins.set(key, admin);
    const [oldest] = this.#admins.keys();
    if (this.#admins.size > MOST_ADMINS && oldest !== undefined) this.#admins.delete(oldest);
    return admin;
  }
}

function keyOf({ app, stage }: StageName): string {
  return JSON.stringify([app, stage]);
}
