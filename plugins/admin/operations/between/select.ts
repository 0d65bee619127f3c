/** Chooses the records and data that move to another stage, and refuses a move that is not safe. Pure. */
import { EngineError } from "../../../../core/base/index.js";
import {
  isPending,
  isPluginOwner,
  isScopeOwner,
  outputsOwner,
  type ResourceRecord,
  scopeOwner,
} from "../../../../core/contract/index.js";
import { descendantsOf } from "../../../../core/order/index.js";
import { type Contents, type RetainedName, retainedNames } from "../../../../core/state/index.js";
import { shellWord } from "../../../internal/text/shell-word.js";
import { fqnOf, type Naming, pathIn, patternNamed } from "../recorded-name.js";
import type { MoveToOptions } from "./move-to.js";

export interface Selection {
  readonly records: readonly ResourceRecord[];
  /** Data by owner and key: of scopes, and of the stage itself if everything moves. */
  readonly data: readonly (readonly [owner: string, key: string])[];
  /** Names that stay taken although no record of the source has them. */
  readonly names: readonly RetainedName[];
}

/**
 * @param keyPlugin owner of the data of the plugin that keeps keys, which belong to one stage
 * @throws EngineError `NOT_RECORDED`, `INVALID_ARGUMENT`, `UNRESOLVED`, `DUPLICATE_ID`
 */
export function select(from: Naming, to: Naming, options: MoveToOptions, keyPlugin: string | undefined): Selection {
  const selection = options.all ? everything(from, to, keyPlugin) : chosen(from, options.names ?? []);
  refuseParts(from, selection.records);
  if (!options.force) refusePending(from, selection.records);
  refuseTaken(from, to, selection);
  return selection;
}

function everything({ contents }: Naming, to: Naming, keyPlugin: string | undefined): Selection {
  // The key of a stage never leaves it. Data of plugins and outputs that the target has are newer.
  const moves = (owner: string): boolean =>
    isScopeOwner(owner) || ((owner === outputsOwner || isPluginOwner(owner)) && owner !== keyPlugin);
  const data = [...contents.data].flatMap(([owner, values]) =>
    moves(owner)
      ? [...values.keys()].flatMap((key) =>
          isScopeOwner(owner) || !to.contents.data.get(owner)?.has(key) ? [[owner, key] as const] : [],
        )
      : [],
  );
  return { records: [...contents.records.values()], data, names: retainedNames(contents) };
}

function chosen(from: Naming, names: readonly string[]): Selection {
  const { contents } = from;
  const patterns = names.map((name) => {
    if (pathIn(from, name) === "")
      throw new EngineError(
        "INVALID_ARGUMENT",
        `"${name}" is the whole stage. To move everything, pass --all (all: true) instead of a name.`,
      );
    return patternNamed(from, name);
  });
  const selects = (path: string): boolean => path !== "" && patterns.some((pattern) => pattern.selects(path));
  const picked = [...contents.records.values()].filter(({ key }) => selects(key));
  const uids = new Set(
    [
      ...picked,
      ...descendantsOf(
        contents,
        picked.map(({ uid }) => uid),
      ),
    ].map(({ uid }) => uid),
  );
  const folders = new Set([...contents.records.values()].flatMap(({ key, uid }) => (uids.has(uid) ? key : [])));
  const moves = (owner: string): boolean =>
    isScopeOwner(owner) && (selects(owner.slice(1)) || folders.has(owner.slice(1)));
  return {
    records: [...contents.records.values()].filter(({ uid }) => uids.has(uid)),
    data: [...contents.data].flatMap(([owner, values]) =>
      moves(owner) ? [...values.keys()].map((key) => [owner, key] as const) : [],
    ),
    names: retainedNames(contents).filter(({ key }) => selects(key)),
  };
}

/** A child without its parent would be pruned by the next run of the target. */
function refuseParts(from: Naming, records: readonly ResourceRecord[]): void {
  const moved = new Set(records.map(({ uid }) => uid));
  for (const { key, parent } of records) {
    const home = parent === undefined || moved.has(parent) ? undefined : from.contents.records.get(parent);
    if (home)
      throw new EngineError(
        "INVALID_ARGUMENT",
        `"${fqnOf(from, key)}" cannot move without "${fqnOf(from, home.key)}", whose handler declares it. Nothing was moved. Move "${home.key}" instead: its children come along.`,
        { fqn: fqnOf(from, key) },
      );
  }
}

/** Only a run of the source knows how to finish its actions. */
function refusePending(from: Naming, records: readonly ResourceRecord[]): void {
  const pending = records.filter(isPending).map(({ key, status }) => `"${fqnOf(from, key)}" (${status})`);
  if (pending.length === 0) return;
  const [are, them] = pending.length === 1 ? ["is", "it"] : ["are", "them"];
  throw new EngineError(
    "UNRESOLVED",
    `${pending.join(", ")} ${are} pending: the last action was interrupted or failed. Nothing was moved. Run "engine up" of the stage "${from.stage}" first, or move ${them} as ${them === "it" ? "it is" : "they are"} (--force): the next run of the target then finishes the action.`,
  );
}

function refuseTaken(from: Naming, to: Naming, { records, data }: Selection): void {
  const { contents } = to;
  const there = new Set([...contents.records.values()].map(({ key }) => key));
  const names = [...new Set(records.map(({ key }) => key))].filter((key) => there.has(key));
  const uids = records.filter(({ uid }) => contents.records.has(uid)).map(({ key }) => key);
  const taken = [...new Set([...names, ...uids])];
  if (taken.length > 0) {
    const list = taken.map((key) => `"${fqnOf(to, key)}"`).join(", ");
    const first = taken[0] ?? "";
    throw new EngineError(
      "DUPLICATE_ID",
      `${list} ${taken.length === 1 ? "exists" : "exist"} already. Nothing was moved. Rename one of the two first: engine state move ${[first, "NEW-NAME", "--app", from.app, "--stage", from.stage].map(shellWord).join(" ")}`,
      { fqn: fqnOf(to, first) },
    );
  }
  const clash = data.find(([owner, key]) => isScopeOwner(owner) && contents.data.get(owner)?.has(key));
  if (!clash) return;
  const [owner, key] = clash;
  const scope = owner === scopeOwner("") ? "" : owner.slice(1);
  throw new EngineError(
    "DUPLICATE_ID",
    `Both "${fqnOf(from, scope)}" and "${fqnOf(to, scope)}" have data named ${JSON.stringify(key)}. Nothing was moved. Delete it in one of the two programs first: app.delete(${JSON.stringify(key)})`,
  );
}

/** Returns the FQNs of the resources that stay and that moved ones refer to. */
export function dependenciesOf(from: Naming, records: readonly ResourceRecord[]): readonly string[] {
  const moved = new Set(records.map(({ uid }) => uid));
  const uids = new Set(records.flatMap(({ refs = [] }) => refs).filter((uid) => !moved.has(uid)));
  return namesOf(
    from,
    [...uids].flatMap((uid) => from.contents.records.get(uid) ?? []),
  );
}

/** Returns the FQNs of the resources of a stage that refer to moved ones, without the moved ones themselves. */
export function dependentsIn(
  at: Pick<Naming, "app" | "stage">,
  contents: Contents,
  records: readonly ResourceRecord[],
): readonly string[] {
  const moved = new Set(records.map(({ uid }) => uid));
  return namesOf(
    at,
    [...contents.records.values()].filter(({ uid, refs }) => !moved.has(uid) && refs?.some((ref) => moved.has(ref))),
  );
}

function namesOf(at: Pick<Naming, "app" | "stage">, records: readonly ResourceRecord[]): readonly string[] {
  return [...new Set(records.map(({ key }) => fqnOf(at, key)))].sort();
}
