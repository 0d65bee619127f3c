/**
 * The resources that a run may touch according to `target` and `exclude`; those left out, and patterns without a match.
 */

import { allNear, EngineError, type ResourceRef } from "../../base/index.js";
import {
  type EventBus,
  fqnIn,
  INTERNALS,
  idOf,
  type PlanNote,
  type ResolvedOptions,
  type ResourceRecord,
  type Scope,
} from "../../contract/index.js";
import { pathsTo, type TargetPattern, TargetPatterns } from "../../options/index.js";
import type { Ledger } from "../../state/index.js";

export type LeftOut = Pick<ResourceRecord, "key" | "kind"> & { readonly reason: string };

/** A declaration to decide on. */
interface Chosen {
  readonly key: string;
  readonly ref: ResourceRef;
  readonly scope: Scope;
}

/** The part of an app that gives access to the state. */
export interface Recorded {
  readonly root: Scope;
  readonly options: ResolvedOptions;
  readonly ledger: Ledger;
}

/** The same, with the declarations of the program. */
interface Declaring extends Recorded {
  readonly events: EventBus;
  readonly run: {
    readonly declaredKeys: Iterable<string>;
    readonly bounds: { readonly selection: Selection | undefined };
  };
}

export class Selection {
  /** Undefined if all resources are targeted. */
  readonly targets: TargetPatterns | undefined;
  readonly excludes: TargetPatterns;
  readonly withDependents: boolean;
  readonly withoutDependents: boolean;
  /** The records at the beginning of the run. */
  readonly recorded: readonly ResourceRecord[];
  /** Patterns that have had an effect. */
  readonly met = new Set<TargetPattern>();
  readonly #app: Recorded;
  /** Keys of declarations. */
  readonly #chosen = new Set<string>();
  readonly #excluded = new Set<string>();
  readonly #leftOut = new Map<string, LeftOut>();
  /** Keys of the records of declarations that were left out, by their keys: perhaps under an earlier name. */
  readonly #records = new Map<string, string>();
  readonly #held = new Set<string>();
  /** FQNs of left-out declarations without a usable record. */
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

  /** Returns undefined if the run may touch everything, or nothing at all. */
  static of(app: Recorded): Selection | undefined {
    const { options } = app;
    const isLimited = options.target !== undefined || (options.exclude ?? []).length > 0;
    return isLimited && options.phase !== "read" ? new Selection(app, options) : undefined;
  }

  /** Decides if a declaration is applied. @param refs keys of its references, which are decided already */
  choose({ key, ref, scope }: Chosen, refs: ReadonlySet<string>): boolean {
    const reason = this.#whyNot(key, scope[INTERNALS].resource?.key, refs);
    if (reason === undefined) {
      this.#chosen.add(key);
      this.#leftOut.delete(key);
    } else this.leave({ key, kind: ref.kind, reason });
    return reason === undefined;
  }

  /** True if a declaration was decided on and is applied. */
  isChosen(key: string): boolean {
    return this.#chosen.has(key);
  }

  isExcluded(key: string): boolean {
    return this.excludes.selects(key);
  }

  isTargeted(key: string): boolean {
    return this.targets?.selects(key) ?? true;
  }

  /** True if it is selected whatever it refers to. */
  isNamed(key: string): boolean {
    return this.isTargeted(key) && !this.isExcluded(key);
  }

  /** Notes that patterns that select it had an effect. */
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

  /** The left-out resources, without their children. */
  get leftOut(): readonly PlanNote[] {
    return [...this.#leftOut.values()].map(({ key, kind, reason }) => {
      return { kind, id: idOf(key), fqn: fqnIn(this.#app.root, key), reason };
    });
  }

  /** Notes that a left-out declaration resolves with its record. */
  hold(key: string, record: ResourceRecord): void {
    this.#records.set(key, record.key);
    this.#held.add(record.key);
  }

  /** True for a record of a declaration that was left out. */
  holds(key: string): boolean {
    return this.#held.has(key);
  }

  /** Returns the key under which a declaration is recorded. */
  recordedKey(key: string): string {
    return this.#records.get(key) ?? key;
  }

  /** Notes that a left-out declaration has no usable record. */
  giveUnknown(fqn: string): void {
    this.#unknown.add(fqn);
  }

  /** Returns the left-out resource that an unknown value comes from; undefined if it comes from another one. */
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
    // A handler's declarations belong to its resource, whatever the reason for running it.
    if (home !== undefined && this.#chosen.has(home)) return undefined;
    if (this.withDependents && [...refs].some((ref) => this.#chosen.has(ref))) return undefined;
    return "not targeted";
  }
}

// Patterns of `target` and `exclude` without a match: most likely typing errors.

/** Maximum number of suggested names. */
const MOST = 3;
/** Maximum number of patterns per option with suggestions: each search visits all names. */
const LOOKS = 5;

/**
 * Checks patterns before anything is deleted, once all possible matches are known. An exclude without effect is only a
 * warning, except in the phase `destroy`, where the resource that it should protect would be deleted.
 */
export function unmatchedErrors(app: Declaring): readonly EngineError[] {
  const { selection } = app.run.bounds;
  if (!selection) return [];
  const { targets, excludes, met, recorded } = selection;
  if (met.size === (targets?.all.length ?? 0) + excludes.all.length) return [];
  const byUid = new Map(recorded.map((record) => [record.uid, record]));
  const isPartOfLeftOut = ({ parent }: ResourceRecord): boolean => {
    const whole = parent === undefined ? undefined : byUid.get(parent);
    return whole !== undefined && (selection.isLeftOut(whole.key) || isPartOfLeftOut(whole));
  };
  const foundBy = recordsBy([targets, excludes], recorded);
  const unmet = (patterns: TargetPatterns | undefined): readonly TargetPattern[] =>
    patterns?.all.filter((pattern) => !met.has(pattern)) ?? [];
  const errors = unmet(targets).flatMap((pattern, index) => {
    const found = foundBy.get(pattern);
    if (!found) return [unmatched(nothing(app, "target", pattern, index))];
    if (!found.every(isPartOfLeftOut)) return [];
    const which = `The target "${pattern.text}" matched only children`;
    return [
      unmatched(
        `${which} of resources that are left out. The handlers that declare the children do not run. Target the resources that contain the children.`,
      ),
    ];
  });
  for (const [index, pattern] of unmet(excludes)
    .filter((one) => !foundBy.has(one))
    .entries()) {
    const message = nothing(app, "exclude", pattern, index);
    if (app.options.phase === "destroy") errors.push(unmatched(message));
    else app.events.warn("TARGET_UNMATCHED", message);
  }
  return errors;
}

function unmatched(message: string): EngineError {
  return new EngineError("TARGET_UNMATCHED", message);
}

/** @param index number of such messages before it */
function nothing(app: Declaring, what: string, { text, whole }: TargetPattern, index: number): string {
  const isDestroy = app.options.phase === "destroy";
  const near = (index < LOOKS ? nearNames(app, whole) : []).map((name) => `"${name}"`);
  const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
  return `The ${what} "${text}" matched nothing that is ${isDestroy ? "recorded" : "declared or recorded"}.${hint}`;
}

/** Returns FQNs of resources and scopes that are similar to the pattern, nearest first. */
function nearNames({ root, ledger, run }: Declaring, pattern: string): readonly string[] {
  const keys = [...run.declaredKeys, ...[...ledger.contents.records.values()].map(({ key }) => key)];
  const paths = [...new Set(keys.flatMap(pathsTo))];
  const isAnywhere = pattern.startsWith("**/");
  // App and stage are right, and would make all names look alike.
  const wanted = pattern.split("/").slice(isAnywhere ? 1 : 2);
  const shapes = paths.map((path) => (isAnywhere ? path.split("/").slice(-wanted.length).join("/") : path));
  const near = allNear(wanted.join("/"), [...new Set(shapes)]);
  const found = near.flatMap((shape) => paths.filter((_path, index) => shapes[index] === shape));
  return found.slice(0, MOST).map((path) => fqnIn(root, path));
}

/** Returns the records that each pattern selects; patterns that select none are missing. */
function recordsBy(
  all: readonly (TargetPatterns | undefined)[],
  records: readonly ResourceRecord[],
): ReadonlyMap<TargetPattern, readonly ResourceRecord[]> {
  const found = new Map<TargetPattern, ResourceRecord[]>();
  for (const record of records) {
    for (const pattern of all.flatMap((patterns) => patterns?.selecting(record.key) ?? [])) {
      const known = found.get(pattern);
      if (known) known.push(record);
      else found.set(pattern, [record]);
    }
  }
  return found;
}
