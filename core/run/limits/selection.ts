/** Which resources a run may touch, by the options `target` and `exclude`; and what it has left out. */

import type { ResourceRef } from "../../base/index.js";
import {
  fqnIn,
  INTERNALS,
  idOf,
  type PlanNote,
  type ResolvedOptions,
  type ResourceRecord,
  type Scope,
} from "../../contract/index.js";
import { type TargetPattern, TargetPatterns } from "../../options/index.js";
import type { Ledger } from "../../state/index.js";

export type LeftOut = Pick<ResourceRecord, "key" | "kind"> & { readonly reason: string };

/** What is declared. */
interface Chosen {
  readonly key: string;
  readonly ref: ResourceRef;
  readonly scope: Scope;
}

/** The part of an app that says what is recorded. */
export interface Recorded {
  readonly root: Scope;
  readonly options: ResolvedOptions;
  readonly ledger: Ledger;
}

export class Selection {
  /** Undefined where everything is meant. */
  readonly targets: TargetPatterns | undefined;
  readonly excludes: TargetPatterns;
  readonly withDependents: boolean;
  readonly withoutDependents: boolean;
  /** What was recorded when the run began. */
  readonly recorded: readonly ResourceRecord[];
  /** Patterns that have had an effect. */
  readonly met = new Set<TargetPattern>();
  readonly #app: Recorded;
  /** Keys of declarations. */
  readonly #chosen = new Set<string>();
  readonly #excluded = new Set<string>();
  readonly #leftOut = new Map<string, LeftOut>();
  /** Where something is recorded of declarations that were left out, by their keys: under an earlier name, perhaps. */
  readonly #records = new Map<string, string>();
  readonly #held = new Set<string>();
  /** FQNs of those of which nothing is known. */
  readonly #unknown = new Set<string>();

  private constructor(app: Recorded, { target, exclude = [], targetDependents, excludeDependents }: ResolvedOptions) {
    const { appName, stage } = app.root;
    this.#app = app;
    this.targets = target && new TargetPatterns(target, appName, stage);
    this.excludes = new TargetPatterns(exclude, appName, stage);
    this.withDependents = targetDependents;
    this.withoutDependents = excludeDependents;
    this.recorded = [...app.ledger.contents.records.values()];
  }

  /** Undefined where the run may touch everything, or nothing at all. */
  static of(app: Recorded): Selection | undefined {
    const { options } = app;
    const isLimited = options.target !== undefined || (options.exclude ?? []).length > 0;
    return isLimited && options.phase !== "read" ? new Selection(app, options) : undefined;
  }

  /** Whether a declaration is applied. @param refs keys of what it refers to, about which all is decided */
  choose({ key, ref, scope }: Chosen, refs: ReadonlySet<string>): boolean {
    const reason = this.#whyNot(key, scope[INTERNALS].resource?.key, refs);
    if (reason === undefined) {
      this.#chosen.add(key);
      this.#leftOut.delete(key);
    } else this.leave({ key, kind: ref.kind, reason });
    return reason === undefined;
  }

  /** A declaration that has been decided on is applied. */
  isChosen(key: string): boolean {
    return this.#chosen.has(key);
  }

  isExcluded(key: string): boolean {
    return this.excludes.selects(key);
  }

  isTargeted(key: string): boolean {
    return this.targets?.selects(key) ?? true;
  }

  /** It is selected whatever it refers to. */
  isNamed(key: string): boolean {
    return this.isTargeted(key) && !this.isExcluded(key);
  }

  /** Something was done, or would have been, because of the patterns that select it. */
  meet(key: string): void {
    for (const patterns of [this.targets, this.excludes]) {
      for (const pattern of patterns?.selecting(key) ?? []) this.met.add(pattern);
    }
  }

  leave(left: LeftOut): void {
    this.#leftOut.set(left.key, left);
  }

  isLeftOut(key: string): boolean {
    return this.#leftOut.has(key);
  }

  /** What was left out, without what belongs to it. */
  get leftOut(): readonly PlanNote[] {
    return [...this.#leftOut.values()].map(({ key, kind, reason }) => {
      return { kind, id: idOf(key), fqn: fqnIn(this.#app.root, key), reason };
    });
  }

  /** A declaration that was left out gives what is recorded. */
  hold(key: string, record: ResourceRecord): void {
    this.#records.set(key, record.key);
    this.#held.add(record.key);
  }

  /** True for what is recorded of a declaration that was left out. */
  holds(key: string): boolean {
    return this.#held.has(key);
  }

  /** The key under which a declaration is recorded. */
  recordedKey(key: string): string {
    return this.#records.get(key) ?? key;
  }

  /** Nothing is recorded of a declaration that was left out. */
  giveUnknown(fqn: string): void {
    this.#unknown.add(fqn);
  }

  /** The resource that was left out where an unknown value comes from; undefined where it is another's. */
  sourceOf(what: string): string | undefined {
    for (let end = what.length; end > 0; end = what.lastIndexOf(".", end - 1)) {
      const fqn = what.slice(0, end);
      if (this.#unknown.has(fqn)) return fqn;
    }
    return undefined;
  }

  #whyNot(key: string, home: string | undefined, refs: ReadonlySet<string>): string | undefined {
    this.meet(key);
    const isExcluded = this.isExcluded(key);
    const excluded = this.withoutDependents ? [...refs].find((ref) => this.#excluded.has(ref)) : undefined;
    if (isExcluded || excluded !== undefined) this.#excluded.add(key);
    if (isExcluded) return "excluded";
    if (excluded !== undefined) return `refers to "${fqnIn(this.#app.root, excluded)}", which is excluded`;
    if (this.isTargeted(key)) return undefined;
    // Whatever the reason for which a handler runs, what it declares is a part of it.
    if (home !== undefined && this.#chosen.has(home)) return undefined;
    if (this.withDependents && [...refs].some((ref) => this.#chosen.has(ref))) return undefined;
    return "not targeted";
  }
}
