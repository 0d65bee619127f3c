/** Verifies that only writers with the key of the stage have written the loaded state. */
import { EngineError } from "../../base/index.js";
import {
  pluginOwner,
  type SeenPosition,
  type SeenState,
  type StateKey,
  type UntrustedState,
} from "../../contract/index.js";
import type { Contents } from "../change.js";
import { digestOfContents, readDigested } from "../checkpoint/digested-text.js";
import type { Head } from "../journal/head.js";
import { listCheckpoints, listKeys, readSegment } from "../journal/segment.js";
import { readEntry } from "../journal/tail.js";
import type { LedgerLocation } from "../keys.js";
import type { SealState } from "./sealer.js";
import { type Doubt, type Evidence, FOLLOWS_ANOTHER } from "./sealer.js";

/** The loaded state is outdated and must be loaded again. */
export class Overtaken extends Error {}

interface Unproven {
  readonly head: Head;
  readonly contents: Contents;
  readonly evidence: Evidence;
}

/**
 * Verifies a state and returns the seal for lines that may follow it.
 *
 * @throws EngineError `STATE_FORGED` if any of it was written without the key; the errors of opening the key
 */
export async function prove(location: LedgerLocation, loaded: Unproven): Promise<SealState> {
  const { seal: key } = location;
  const { evidence, head } = loaded;
  if (!key?.isGiven) {
    const { isSealed } = evidence;
    await key?.seen(positionOf(head, isSealed), seenIn(location, key, loaded, !isSealed));
    if (isSealed) warnUnverified(location, NO_KEY);
    return isSealed ? "locked" : "none";
  }
  const state = untrusted(key, loaded);
  const opened = await key.open(state);
  switch (opened.is) {
    case "waived":
      if (evidence.isSealed) warnUnverified(location, opened.why);
      await key.seen(positionOf(head, evidence.isSealed), seenIn(location, key, loaded, false));
      return "none";
    case "absent":
      return withoutKey(location, key, loaded, state);
    case "open": {
      if (!evidence.isSealed) return withoutKey(location, key, loaded, state);
      const ledger = { app: head.app, stage: head.stage, lineage: head.lineage };
      const doubt = evidence.doubt(ledger, opened.sealer) ?? (await doubtOfLoose(location, evidence));
      if (doubt) throw forged(location, doubt);
      await key.seen(positionOf(head, true), { ...seenIn(location, key, loaded, true), isEmpty: false });
      return opened.sealer;
    }
  }
}

/**
 * Checks an `open` that names an earlier line: it is right only if a session took over from one that ended with a
 * checkpoint meanwhile, whose entry is read.
 */
async function doubtOfLoose(location: LedgerLocation, { loose, checkpoint }: Evidence): Promise<Doubt | undefined> {
  if (!loose || !checkpoint) return undefined;
  const { seq, lines, digest } = checkpoint.head;
  const entry = readSegment(seq, (await readEntry(location, seq)) ?? "");
  const own = entry?.lines.slice(0, lines) ?? [];
  // The checkpoint proves the last line, and each line proves the one before it.
  const isChained = own.every((line, index) => index === 0 || line.entry.prev === own[index - 1]?.digest);
  const isProven = isChained && own.at(-1)?.digest === digest && own.some((line) => line.digest === loose.prev);
  if (isProven) return undefined;
  // It may have been trimmed since, together with the checkpoint that this load began with.
  if (((await listCheckpoints(location)).at(-1) ?? 0) > seq) throw new Overtaken();
  return { key: loose.key, problem: FOLLOWS_ANOTHER };
}

/** Handles a state that records no key: a new one, one that was never sealed, or one whose key was removed. */
async function withoutKey(
  location: LedgerLocation,
  key: StateKey,
  loaded: Unproven,
  state: UntrustedState,
): Promise<SealState> {
  const { head, evidence } = loaded;
  await key.seen(positionOf(head, false), seenIn(location, key, loaded, true));
  if (evidence.isSealed) {
    throw forged(location, {
      key: location.keys.root,
      problem: "it no longer records the key that it is sealed with",
    });
  }
  if (state.isEmpty) return "none";
  const elsewhere = await findSeal(location);
  if (elsewhere !== undefined) throw forged(location, { key: elsewhere, problem: BARE_BESIDE_SEALED });
  if (await key.accepts(state)) return "none";
  throw neverSealed(location);
}

const BARE_BESIDE_SEALED =
  "it is sealed, but the entries that the state is loaded from are not: their seals were removed";

/** Number of the newest entries to search; checkpoints and copies are few. */
const MOST_ENTRIES = 64;

/** Returns the key of any sealed object in the stage. */
async function findSeal(location: LedgerLocation): Promise<string | undefined> {
  const { store, keys } = location;
  const { checkpoints, entries, histories } = await listKeys(location);
  const copies = [...checkpoints.map(keys.checkpoint), ...histories.map(keys.history)].reverse();
  const all = [...entries.slice(-MOST_ENTRIES).map(keys.entry), ...copies];
  // One after the other: copies are as large as the state.
  for (const key of all) if (isSealedText((await store.get(key)) ?? "")) return key;
  return undefined;
}

/** True for sealed lines, or one sealed object of many lines. */
function isSealedText(text: string): boolean {
  return [text.trimEnd(), ...text.split("\n")].some((one) => readDigested(one)?.seal !== undefined);
}

/**
 * True if the state holds nothing except the data of the plugin that manages keys. That plugin creates another key for
 * unverified data; any other plugin would continue with the data that it finds under its name.
 */
function isEmptyFor({ recorded }: StateKey, { records, data }: Contents): boolean {
  return records.size === 0 && [...data.keys()].every((owner) => owner === pluginOwner(recorded.plugin));
}

export function untrusted(key: StateKey, { head, contents }: Pick<Unproven, "head" | "contents">): UntrustedState {
  return {
    lineage: head.lineage,
    isEmpty: isEmptyFor(key, contents),
    resources: contents.records.size,
    digest: () => digestOfContents(contents),
    kept: (plugin, name) => contents.data.get(pluginOwner(plugin))?.get(name),
  };
}

/**
 * Describes a loaded state to the key plugin. The first line of each entry is synced; lines that a session adds are
 * synced when it closes or another one takes over.
 */
function seenIn(
  { looks }: LedgerLocation,
  key: StateKey,
  { head, contents }: Pick<Unproven, "head" | "contents">,
  isProven: boolean,
): SeenState {
  const isLasting = !(head.open && head.grows);
  return { isEmpty: isEmptyFor(key, contents), isProven, isLasting, ...(looks && { isLook: true }) };
}

/** Returns undefined if nothing was ever written. */
export function positionOf({ lineage, seq, lines, digest }: Head, isSealed: boolean): SeenPosition | undefined {
  return lineage === undefined ? undefined : { lineage, seq, lines, digest, isSealed };
}

const NO_KEY =
  "is sealed, and this run has no password or key to verify it. Its contents may be forged. To verify it, set ENGINE_PASSWORD or ENGINE_KEY.";

/** Keys that were warned about: one key belongs to one run, which may load its state several times. */
const warned = new WeakSet<StateKey>();

function warnUnverified({ app, stage, seal, warn }: LedgerLocation, why: string): void {
  if (seal && warned.has(seal)) return;
  if (seal) warned.add(seal);
  warn?.("UNVERIFIED", `The state of "${app}/${stage}" ${why}`);
}

const MEND =
  "Nothing was done. Restore the state from an older version in the store or from a backup, and find out who can write to the store. Without the key, you can still inspect the state.";

/** The error for a state that is to be sealed without a password or key. @param fqn of the stage */
export function keyNeeded(fqn: string): EngineError {
  return new EngineError(
    "PASSWORD_REQUIRED",
    `A password or a key is needed to seal the state of "${fqn}": pass { password } or { key }, or set ENGINE_PASSWORD or ENGINE_KEY.`,
    { fqn },
  );
}

export function forged({ app, stage }: Pick<LedgerLocation, "app" | "stage">, { key, problem }: Doubt): EngineError {
  return new EngineError(
    "STATE_FORGED",
    `The state of "${app}/${stage}" was changed without its key, at "${key}": ${problem}. ${MEND}`,
    { fqn: `${app}/${stage}` },
  );
}

function neverSealed({ app, stage }: LedgerLocation): EngineError {
  return new EngineError(
    "STATE_FORGED",
    `This run has a password or a key, but the state of "${app}/${stage}" is not sealed: nothing proves who wrote it. Nothing was done. ` +
      "If no run has sealed it yet (the password or key is new, or an older version of scope-engine wrote the state), inspect it without the password or key, then seal it once: engine state seal. " +
      "If it was sealed, another program has replaced it: restore it from an older version in the store or from a backup, and find out who can write to the store.",
    { fqn: `${app}/${stage}` },
  );
}
