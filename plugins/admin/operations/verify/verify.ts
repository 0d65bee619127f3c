/** Reads every byte of a stage's state and reports all that is not as it was written. Changes nothing. */
import { EngineError } from "../../../../core/base/index.js";
import {
  type Contents,
  findRecoveries,
  type Head,
  type LedgerLocation,
  type Loaded,
  loadAsIs,
  proven,
  readRecovery,
  seqOf,
  UNENCRYPTED,
  whyMoving,
  whyUnused,
} from "../../../../core/state/index.js";
import { fqnOf } from "../recorded-name.js";
import { damaged, type Finding, harmless } from "./finding.js";
import { type SealStatus, sealStatusOf } from "./prove-copy.js";
import { verifyCopies } from "./verify-copies.js";
import { verifyJournal } from "./verify-journal.js";

/** Result of a verify: the amounts that were read, and the findings. */
export interface Verified {
  /** Number of keys that were read, and of characters in their texts. */
  readonly keys: number;
  readonly size: number;
  readonly entries: number;
  /** Number of valid lines in these entries. */
  readonly lines: number;
  readonly checkpoints: number;
  readonly histories: number;
  /** Undefined if the present state cannot be loaded. */
  readonly resources: number | undefined;
  /**
   * Seal status of the present state; undefined if it cannot be loaded. `unverified`: a forger can make matching
   * digests.
   */
  readonly seal: SealStatus | undefined;
  /** True if a session is open: findings may be temporary. */
  readonly isBusy: boolean;
  /** Reason why no run uses this state: it was moved to another store, or is being moved here. */
  readonly unused: string | undefined;
  readonly findings: readonly Finding[];
}

/** A stage that changes all the time is read again after a finding. */
const ATTEMPTS = 5;

/** Finds problems in the contents of the present state. Each finding has the key of a record. */
export type InspectContents = (contents: Pick<Contents, "records" | "data">) => Promise<readonly Finding[]>;

interface Verifying extends LedgerLocation {
  readonly rootDir: string;
  readonly inspect?: InspectContents | undefined;
}

/** @throws EngineError `STORE_FAILED` if the store cannot be read; never for its contents */
export async function verify(location: Verifying): Promise<Verified> {
  for (let attempt = 1; ; attempt++) {
    const before = await keysIn(location);
    const verified = await verifyOnce(location, before);
    if (verified.findings.every(({ level }) => level !== "damaged") || attempt === ATTEMPTS) return verified;
    if (JSON.stringify(before) === JSON.stringify(await keysIn(location)) && !verified.isBusy) return verified;
  }
}

async function keysIn({ store, keys }: LedgerLocation): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const key of store.list(keys.root)) all.push(key);
  return all.sort();
}

async function verifyOnce(location: Verifying, all: readonly string[]): Promise<Verified> {
  const { keys } = location;
  const inRoom = (room: string): readonly number[] =>
    all.flatMap((key) => (key.startsWith(room) && key.length === room.length + 12 ? (seqOf(key) ?? []) : []));
  const [checkpoints, entries, histories] = [keys.checkpoints, keys.entries, keys.histories].map(inRoom);
  const leases = all.filter((key) => key.startsWith(keys.lease("")));
  const present = await presentOf(location);
  const copies = await verifyCopies(location, present.loaded, checkpoints ?? [], histories ?? []);
  const journal = await verifyJournal(location, {
    seqs: entries ?? [],
    oldest: checkpoints?.[0] ?? 0,
    heads: copies.heads,
    guards: present.loaded?.head.guards ?? [],
  });
  const head = present.loaded?.head;
  const unused =
    present.loaded &&
    (whyUnused(location, present.loaded.head) ?? whyMoving(location, present.loaded.contents))?.message;
  const others = await verifyOthers(location, all, leases, present.loaded);
  const known = [...copies.findings, ...journal.findings, ...others.findings, ...(await inspected(location, present))];
  return {
    keys: all.length,
    size: copies.size + journal.size + others.size,
    entries: journal.entries,
    lines: journal.lines,
    checkpoints: checkpoints?.length ?? 0,
    histories: histories?.length ?? 0,
    resources: present.loaded?.contents.records.size,
    seal: present.loaded && sealStatusOf(present.loaded),
    isBusy: head?.open !== undefined && unused === undefined,
    unused,
    // A load stops at the first damage, which is usually among the findings already.
    findings:
      present.problem && !known.some(({ key }) => present.problem?.message.includes(`"${key}"`))
        ? [...known, damaged(keys.root, present.problem.message, "See the message.")]
        : known,
  };
}

interface Present {
  readonly loaded?: Loaded;
  readonly problem?: EngineError;
}

async function presentOf(location: LedgerLocation): Promise<Present> {
  try {
    const loaded = await loadAsIs(location);
    return { loaded: whyUnused(location, loaded.head) ? loaded : await proven(location, loaded) };
  } catch (error) {
    if (error instanceof EngineError && error.code.startsWith("STATE_")) return { problem: error };
    throw error;
  }
}

async function inspected(location: Verifying, { loaded }: Present): Promise<readonly Finding[]> {
  if (!loaded || !location.inspect) return [];
  const findings: Promise<readonly Finding[]> = location.inspect(loaded.contents);
  return (await findings).map((finding) => ({ ...finding, key: fqnOf(location, finding.key) }));
}

/** Verifies leases, unknown keys, and the recovery files of the project. */
async function verifyOthers(
  location: LedgerLocation & { readonly rootDir: string },
  all: readonly string[],
  leases: readonly string[],
  loaded: Loaded | undefined,
): Promise<{ readonly size: number; readonly findings: readonly Finding[] }> {
  const { store, keys, rootDir, app, stage } = location;
  const findings: Finding[] = [];
  let size = 0;
  const head = loaded?.head;
  const open = head?.open && keys.lease(head.open.session);
  for (const key of all) {
    const isNumbered = [keys.checkpoints, keys.entries, keys.histories].some(
      (room) => key.startsWith(room) && key.length === room.length + 12 && seqOf(key) !== undefined,
    );
    if (isNumbered) continue;
    const text = await store.get(key);
    size += text?.length ?? 0;
    if (text === undefined) continue;
    if (!leases.includes(key))
      findings.push(
        harmless(
          key,
          "the engine did not write it",
          "The engine does not use it. If nothing else needs it, delete it.",
        ),
      );
    else if (head && key !== open)
      findings.push(
        harmless(key, "it is the lease of a session that has ended", "Nothing reads it. You can delete it."),
      );
    else if (!/^\d+$/.test(text))
      findings.push(damaged(key, "it is not a valid lease", "Wait until the run has ended, then delete it."));
  }
  const isSealed = loaded !== undefined && sealStatusOf(loaded) !== "none";
  for (const path of await findRecoveries(rootDir, app, stage))
    findings.push(...(await verifyRecovery(path, head, isSealed)));
  return { size, findings };
}

async function verifyRecovery(path: string, head: Head | undefined, isSealed: boolean): Promise<readonly Finding[]> {
  const file = await readRecovery(path);
  if (file === undefined) return [];
  if ("problem" in file) return [damaged(path, file.problem, file.advice)];
  const isOwn = head === undefined || file.lineage === head.lineage;
  if (isOwn && isSealed && !file.isLocked) return [damaged(path, UNENCRYPTED.problem, UNENCRYPTED.advice)];
  return [
    isOwn
      ? harmless(
          path,
          "it holds results that a run could not record",
          `"engine state recover" records them, and so does the next "engine up" or "engine destroy".`,
        )
      : harmless(path, "it belongs to another state of the same name", "Delete it if that state no longer exists."),
  ];
}
