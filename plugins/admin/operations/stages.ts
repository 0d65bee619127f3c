/** Lists the stages of a store with last run, holder and size, and suggests a stage for a mistyped name. */
import {
  allNear,
  EngineError,
  type ErrorCode,
  isEngineError,
  Limiter,
  messageOf,
  type ProcessIdentity,
  type Redact,
} from "../../../core/base/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import {
  arrivingIn,
  type Contents,
  decodeName,
  type Head,
  type LedgerKeys,
  type LedgerLocation,
  type Loaded,
  ledgerKeysAt,
  loadAsIs,
  readSegment,
  retiredIn,
  seqOf,
  whyMoving,
} from "../../../core/state/index.js";
import { compare } from "../../internal/text/name-order.js";
import { type EndedRun, endedRun, runOfCopy } from "./history.js";
import { fqnOf } from "./recorded-name.js";
import { recordsNothing } from "./records/purge.js";
import { type Holder, holderOf } from "./unlock.js";

/** A stage in a list of all stages. Listing needs no key, so nothing is verified. */
export interface StageSummary {
  readonly app: string;
  readonly stage: string;
  /** Number of the newest journal entry. */
  readonly seq?: number;
  /** Number of recorded resources. */
  readonly resources?: number;
  /** Set if nothing is recorded and no session is open, as after a destroy. */
  readonly isEmpty?: true;
  /** True if the state has seals, which were not verified. */
  readonly isSealed?: boolean;
  /** The run or command that ended last; absent if none has ended, or it is not recorded any more. */
  readonly lastRun?: EndedRun;
  /** The session that is open. */
  readonly holder?: Holder;
  /** Set if the stage was moved to another store; no run uses it here. */
  readonly retired?: StageMove;
  /** Set if the stage is being moved here; no run uses it yet. */
  readonly arriving?: StageMove;
  /** Reason why it cannot be read; then the other members are absent. */
  readonly problem?: { readonly code: ErrorCode; readonly message: string };
}

/** The other store of a stage that was moved or is being moved. */
export interface StageMove {
  /** The other store, without credentials. */
  readonly store: string;
  readonly user: string;
  readonly host: string;
  /** ISO 8601. */
  readonly since: string;
}

/** Each stage is loaded as a whole, so only a few are read at once. */
const AT_ONCE = 8;

/** Options of {@link StageAdmin.stages}. */
export interface ListStagesOptions {
  /** Includes empty stages, as after a destroy. Default: they are left out. */
  readonly all?: boolean;
}

interface Looking extends Pick<LedgerLocation, "store" | "keep"> {
  readonly here: ProcessIdentity;
  readonly redact: Redact;
}

/**
 * Lists by name. @throws EngineError `STORE_FAILED` if the store cannot be listed; never for the contents of a stage
 */
export async function stagesIn(
  looking: Looking,
  { all = false }: ListStagesOptions = {},
): Promise<readonly StageSummary[]> {
  const limiter = new Limiter(AT_ONCE);
  const roots = [...(await rootsIn(looking.store))];
  const rows = roots.map(([root, newestCopy]) => limiter.run(() => summaryOf(looking, root, newestCopy)));
  const found = (await Promise.all(rows)).filter((row) => row !== undefined).filter(({ isEmpty }) => all || !isEmpty);
  return found.sort((one, other) => compare(fqnOf(one, ""), fqnOf(other, "")));
}

const LEDGER_KEY = /^([^/]+\/[^/]+\/)(?:journal|checkpoint|history)\/\d{12}$/;

/** Maps the key prefix of each stage to the number of its newest copy in the history. */
async function rootsIn(store: StateStore): Promise<ReadonlyMap<string, number | undefined>> {
  const roots = new Map<string, number | undefined>();
  for await (const key of store.list("")) {
    const [, root] = LEDGER_KEY.exec(key) ?? [];
    if (root === undefined) continue;
    const known = roots.get(root);
    const seq = key.startsWith(`${root}history/`) ? seqOf(key) : undefined;
    roots.set(root, Math.max(known ?? 0, seq ?? 0) || undefined);
  }
  return roots;
}

/** Returns undefined if nothing was ever written there. */
async function summaryOf(
  { store, keep, here, redact }: Looking,
  root: string,
  newestCopy: number | undefined,
): Promise<StageSummary | undefined> {
  const [app = "", stage = ""] = root.split("/").map((part) => decodeName(part) ?? part);
  try {
    const location = await locationAt({ store, keep }, root);
    const loaded = await loadAsIs(location);
    return loaded.head.lineage === undefined ? undefined : await summaryOfLoaded(location, loaded, here, newestCopy);
  } catch (error) {
    return { app, stage, problem: { code: codeOfProblem(error), message: redact(messageOf(error)) } };
  }
}

/** Returns the location of the stage with a key prefix. */
async function locationAt(
  { store, keep }: Pick<LedgerLocation, "store" | "keep">,
  root: string,
): Promise<LedgerLocation> {
  const keys = ledgerKeysAt(root);
  const [appPart = "", stagePart = ""] = root.split("/");
  let [app, stage] = [decodeName(appPart), decodeName(stagePart)];
  if (app === undefined || stage === undefined) ({ app, stage } = await recordedNames(store, keys));
  return { store, keep, keys, app: app ?? appPart, stage: stage ?? stagePart };
}

/**
 * Calls `visit` with the contents of each stage of a store, a few at once. Returns the FQNs of those that cannot be
 * read.
 */
export async function eachStage(
  looking: Pick<LedgerLocation, "store" | "keep">,
  visit: (at: Pick<LedgerLocation, "app" | "stage">, contents: Contents) => void,
): Promise<readonly string[]> {
  const limiter = new Limiter(AT_ONCE);
  const unread: string[] = [];
  const look = async (root: string): Promise<void> => {
    const location = await locationAt(looking, root);
    try {
      visit(location, (await loadAsIs(location)).contents);
    } catch {
      unread.push(fqnOf(location, ""));
    }
  };
  await Promise.all([...(await rootsIn(looking.store)).keys()].map((root) => limiter.run(() => look(root))));
  return unread.sort();
}

async function summaryOfLoaded(
  location: LedgerLocation,
  loaded: Loaded,
  here: ProcessIdentity,
  newestCopy: number | undefined,
): Promise<StageSummary> {
  const { head, contents, evidence, isPartial } = loaded;
  const [retired, arriving] = [moveIn(head, retiredIn(head)?.to), moveIn(head, arrivingIn(head)?.from)];
  const lastRun = await lastRunOf(location, loaded, newestCopy);
  const holder = (retired ?? arriving) ? undefined : await holderOf(location, head, here);
  const moving = isPartial || retired || arriving ? undefined : whyMoving(location, contents);
  const isEmpty = !moving && !isPartial && !arriving && !holder && recordsNothing(contents);
  return {
    app: head.app,
    stage: head.stage,
    seq: head.seq,
    ...(isPartial ? {} : { resources: contents.records.size, isSealed: evidence.isSealed }),
    ...(isEmpty && { isEmpty }),
    ...(lastRun && { lastRun }),
    ...(holder && { holder }),
    ...(retired && { retired }),
    ...(arriving && { arriving }),
    ...(moving && { problem: { code: moving.code, message: moving.message } }),
  };
}

/** Reads names that are too long for a key from the first entry, which is never trimmed. */
async function recordedNames(store: StateStore, keys: LedgerKeys): Promise<{ app?: string; stage?: string }> {
  const text = await store.get(keys.entry(1));
  return (text === undefined ? undefined : readSegment(1, text)?.lines[0]?.entry.open?.genesis) ?? {};
}

/** A checkpoint made in the middle of a run does not record an earlier run; the newest copy does. */
async function lastRunOf(
  location: LedgerLocation,
  { closed }: Loaded,
  newestCopy: number | undefined,
): Promise<EndedRun | undefined> {
  if (closed) return endedRun(closed);
  return newestCopy === undefined ? undefined : runOfCopy(location, newestCopy);
}

function moveIn({ open }: Head, store: string | undefined): StageMove | undefined {
  if (!open || store === undefined) return undefined;
  const { user, host, since } = open.record.owner;
  return { store, user, host, since };
}

function codeOfProblem(error: unknown): ErrorCode {
  return isEngineError(error) ? error.code : "STORE_FAILED";
}

/** Longer lists of names are cut. */
const SHOWN = 8;
const MISSING_OK = "With --missing-ok, the command exits with 0.";

/**
 * Takes one request if the stage has a state; else it lists the store.
 *
 * @throws EngineError `NOT_RECORDED`, and `STATE_WENT_BACK` with `strictState` if this machine remembers a state
 */
export async function checkExists({ store, keys, app, stage, seal }: LedgerLocation): Promise<void> {
  for await (const _ of store.list(keys.root)) return;
  await seal?.seen(undefined, { isEmpty: true, isProven: false, isLasting: true, isLook: true });
  const names = [...(await rootsIn(store)).keys()].map((root) => root.split("/").map(decodeName));
  const stages = names.flatMap(([name, one]) => (name === app && one !== undefined ? one : []));
  const apps = names.flatMap(([name]) => name ?? []);
  throw new EngineError("NOT_RECORDED", `${missing(app, stage, stages, [...new Set(apps)])} ${MISSING_OK}`);
}

/**
 * @param stages those of the app
 * @param apps those of the store
 */
function missing(app: string, stage: string, stages: readonly string[], apps: readonly string[]): string {
  const what = `There is no state of "${app}/${stage}"`;
  if (stages.length > 0) return `${what}: the app has no such stage. ${hintFor(stage, stages, "Its stages are")}`;
  if (apps.length > 0) return `${what}: the store has no such app. ${hintFor(app, apps, "Its apps are")}`;
  return `${what}: the store is empty.`;
}

/** @param all begins the list of all names */
function hintFor(name: string, names: readonly string[], all: string): string {
  const near = allNear(name, names);
  if (near.length > 0) return `Did you mean ${near.map(quoted).join(" or ")}?`;
  const sorted = names.toSorted(compare);
  const rest = sorted.length - SHOWN;
  return `${all} ${sorted.slice(0, SHOWN).map(quoted).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`;
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
