/** Removes records, or names of retained resources, from the state. The real resources stay. */
import { EngineError } from "../../../../core/base/index.js";
import { isScopeOwner, type ResourceRecord } from "../../../../core/contract/index.js";
import { descendantsOf } from "../../../../core/order/index.js";
import {
  type Change,
  type Contents,
  keptNames,
  type OneShotSettings,
  oneShotSession,
  type RetainedName,
  releaseName,
} from "../../../../core/state/index.js";
import { compare } from "../../../internal/text/name-order.js";
import { type ListedResource, rowOf } from "../listed.js";
import { fqnOf, patternNamed, selectorOf } from "../recorded-name.js";

/** A name that stays taken because its resource was retained. */
export interface ForgottenName {
  /** FQN of the resource that had it. */
  readonly fqn: string;
  readonly kind: string;
  /** The physical name. */
  readonly name: string;
  /** FQN of the stage that its record was moved to. */
  readonly movedTo?: string;
}

/** The records that were removed from the state, or are about to be. */
export interface Forgotten {
  /** The removed resources, with their children. */
  readonly resources: readonly ListedResource[];
  /** Old copies of a named resource, with their children. They stay recorded, and the next run deletes them. */
  readonly copies: readonly ListedResource[];
  /** FQNs of the scopes whose data is removed. */
  readonly scopes: readonly string[];
  /** FQNs of resources that stay and refer to removed ones. */
  readonly dependents: readonly string[];
  /** Names of retained resources that become free. */
  readonly retained: readonly ForgottenName[];
}

/** Options of {@link StageAdmin.forget}. */
export interface ForgetOptions {
  /**
   * FQNs or globs of FQNs; everything below is included. The name of a resource means its live record, as in `keep`. A
   * glob and the name of a scope mean old copies as well.
   */
  readonly patterns: readonly string[];
  /** Removes protected resources as well. */
  readonly force?: boolean;
  /** Removes the names of retained resources instead of records. Default: false. */
  readonly retained?: boolean;
  /** Called before anything is removed; cancels by throwing. */
  approve?(what: Forgotten): Promise<void> | void;
}

/**
 * @throws EngineError `NOT_RECORDED` for a pattern that matches nothing, `PROTECTED`, all that `approve` throws, and
 * everything that {@link oneShotSession} throws
 */
export async function forget(settings: OneShotSettings, options: ForgetOptions): Promise<Forgotten> {
  let what: Forgotten = { resources: [], copies: [], scopes: [], dependents: [], retained: [] };
  await oneShotSession(settings, {
    command: "forget",
    async changes({ contents }) {
      const selected = options.retained
        ? { ...NOTHING, names: selectNames(settings, contents, options) }
        : select(settings, contents, options);
      what = reported(settings, selected);
      await options.approve?.(what);
      return changesFor(contents, selected);
    },
  });
  return what;
}

type Stage = Pick<OneShotSettings, "app" | "stage">;

interface Selected {
  readonly records: readonly ResourceRecord[];
  /** Old copies, which stay recorded. */
  readonly copies: readonly ResourceRecord[];
  /** Paths of scopes. */
  readonly scopes: readonly string[];
  /** Keys of records. */
  readonly dependents: readonly string[];
  readonly names: readonly RetainedName[];
}

const NOTHING: Selected = { records: [], copies: [], scopes: [], dependents: [], names: [] };

function reported(at: Stage, { records, copies, scopes, dependents, names }: Selected): Forgotten {
  const name = (path: string): string => fqnOf(at, path);
  return {
    resources: records.map((record) => rowOf(at, record)),
    copies: copies.map((record) => rowOf(at, record)),
    scopes: scopes.map(name),
    dependents: dependents.map(name),
    retained: names.map(({ key, kind, name: physical, moved }) => ({
      fqn: name(key),
      kind,
      name: physical,
      ...(moved && { movedTo: moved.to }),
    })),
  };
}

function selectNames(at: Stage, contents: Contents, { patterns }: ForgetOptions): readonly RetainedName[] {
  const all = [...keptNames(contents)].sort((one, other) => compare(one.key, other.key));
  const chosen = patterns.map((text) => {
    const isChosen = selectorOf(at, text);
    const names = all.filter(({ key }) => isChosen(key));
    if (names.length > 0) return names;
    const known = [...new Set(all.map(({ key }) => `"${fqnOf(at, key)}"`))].join(", ");
    const hint = known === "" ? "The state has no names of retained resources." : `Retained names: ${known}.`;
    throw new EngineError("NOT_RECORDED", `No retained resource in "${fqnOf(at, "")}" matches "${text}". ${hint}`);
  });
  return [...new Set(chosen.flat())];
}

function select(at: Stage, contents: Contents, { patterns, force = false }: ForgetOptions): Selected {
  const all = [...contents.records.values()];
  const owners = [...contents.data.keys()].filter((owner) => isScopeOwner(owner) && owner !== "/");
  const picked = new Map<string, ResourceRecord>();
  const scopes = new Set<string>();
  const waiting = new Map<string, ResourceRecord>();
  for (const text of patterns) {
    const pattern = patternNamed({ ...at, contents }, text);
    const copies = oldCopiesOf(contents, pattern.path);
    for (const record of copies) waiting.set(record.uid, record);
    const matching = all.filter((record) => pattern.selects(record.key) && !copies.includes(record));
    const inside = owners.map((owner) => owner.slice(1)).filter((path) => pattern.selects(path));
    for (const record of matching) picked.set(record.uid, record);
    for (const path of inside) scopes.add(path);
  }
  for (const record of descendantsOf(contents, [...picked.keys()])) picked.set(record.uid, record);
  const records = [...picked.values()];
  if (!force) refuseProtected(at, records);
  const dependents = all.filter(({ uid, refs }) => !picked.has(uid) && refs?.some((ref) => picked.has(ref)));
  const copies = [...waiting.values()].filter(({ uid }) => !picked.has(uid));
  return {
    records,
    copies,
    scopes: [...scopes],
    dependents: [...new Set(dependents.map(({ key }) => key))],
    names: [],
  };
}

/** Returns old copies with their children; none if the path has no live resource. */
function oldCopiesOf(contents: Contents, path: string | undefined): readonly ResourceRecord[] {
  if (path === undefined || !contents.at(path)) return [];
  const copies = contents.copiesOf(path).filter(({ replaced }) => replaced);
  return [
    ...copies,
    ...descendantsOf(
      contents,
      copies.map(({ uid }) => uid),
    ),
  ];
}

function refuseProtected(at: Stage, records: readonly ResourceRecord[]): void {
  const kept = records.filter(({ protect }) => protect);
  if (kept.length === 0) return;
  const names = kept.map(({ key }) => `"${fqnOf(at, key)}"`).join(", ");
  const are = kept.length === 1 ? "is" : "are";
  throw new EngineError(
    "PROTECTED",
    `${names} ${are} protected, so nothing was removed from the state. Leave out ${kept.length === 1 ? "the protected resource, or remove it" : "the protected resources, or remove them"} anyway (--force).`,
  );
}

function changesFor(contents: Contents, { records, scopes, names }: Selected): readonly Change[] {
  const gone = new Set(records.map(({ uid }) => uid));
  const replacements = [...contents.records.values()].filter(
    ({ uid, replaces }) => !gone.has(uid) && replaces !== undefined && gone.has(replaces),
  );
  return [
    ...records.map(({ uid }): Change => ({ op: "drop", uid })),
    // A copy that replaced a removed one is not a replacement any more.
    ...replacements.map(({ uid }): Change => ({ op: "patch", uid, unset: ["replaces"] })),
    ...scopes.map((path): Change => ({ op: "forget", owner: `/${path}` })),
    ...names.map(({ name }) => releaseName(name)),
  ];
}
