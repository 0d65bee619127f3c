/** Recovery files, next to the project: the one place that knows their names and reads and writes their text. */

import { join } from "node:path";
import { EngineError, isAbsence, messageOf, platform, uuid } from "../../base/index.js";
import type { Change, Contents } from "../change.js";
import { digested, readDigested } from "../checkpoint/digested-text.js";
import { FORMAT } from "../journal/entry.js";
import type { Head } from "../journal/head.js";
import { encodeName } from "../keys.js";
import { type Result, resultsOf } from "./recovery.js";

export interface Recovery {
  readonly app: string;
  readonly stage: string;
  readonly lineage: string;
  /** The session that could not record its results. */
  readonly session: string;
  /** The newest entry of the journal that it knew to be there. */
  readonly seq: number;
  /** In the order in which they came about, data first. */
  readonly results: readonly Result[];
}

/** Keeps a text from the eyes of others. */
export interface RecoveryCipher {
  /** Undefined: there is nothing to lock it with. @param bound what the text belongs to, e.g. the names of a state */
  seal(text: string, bound: string): string | undefined;
  /** @throws EngineError where the key is missing, or is another one */
  unseal(sealed: string, bound: string): Promise<string>;
}

/** As it stands in the file. */
interface Body extends Omit<Recovery, "results"> {
  readonly format: number;
  readonly results?: readonly Result[];
  /** The results, where they were locked away. */
  readonly sealed?: string;
}

interface Writing {
  readonly rootDir: string;
  readonly head: Head;
  readonly session: string;
  readonly results: readonly Result[];
  /** What is recorded: the results are about that. */
  readonly contents: Contents;
  readonly recoveryCipher: RecoveryCipher | undefined;
}

/** Writes what has happened of changes that could not be recorded; the path, or undefined where nothing has. */
export function keepUnwritten(
  { rootDir, recoveryCipher }: Partial<Pick<Writing, "recoveryCipher">> & Pick<Writing, "rootDir">,
  { head, id = uuid(), contents }: Pick<Writing, "head" | "contents"> & { readonly id: string | undefined },
  unwritten: readonly (readonly Change[])[],
): string | undefined {
  const results = resultsOf(unwritten, contents);
  return results.length > 0
    ? writeRecovery({ rootDir, head, session: id, results, contents, recoveryCipher })
    : undefined;
}

/** So many are named where they could not be kept. */
const MOST_NAMED = 20;

/**
 * Writes the file, whole or not at all, and returns its path. Synchronous: the process may be about to end. Undefined:
 * nothing was ever written to the ledger, so no handler was ever called.
 *
 * @throws EngineError `RECOVERY_FAILED` where it cannot be written, which names what is recorded nowhere
 */
function writeRecovery({ rootDir, head, session, results, contents, recoveryCipher }: Writing): string | undefined {
  const { app, stage, lineage, seq } = head;
  if (lineage === undefined) return undefined;
  const path = join(rootDir, `${prefixOf(app, stage)}${session}.json`);
  const about = { format: FORMAT, app, stage, lineage, session, seq };
  const sealed = recoveryCipher?.seal(JSON.stringify(results), boundOf(about));
  try {
    platform().files.writeNow(path, textOf(sealed === undefined ? { ...about, results } : { ...about, sealed }));
  } catch (error) {
    throw notKept(path, head, namesOf(results, contents), error);
  }
  return path;
}

function notKept(path: string, { app, stage }: Head, names: readonly string[], cause: unknown): EngineError {
  const more = names.length > MOST_NAMED ? [`and ${names.length - MOST_NAMED} more`] : [];
  const list = [...names.slice(0, MOST_NAMED), ...more].map((name) => `  - ${name}`).join("\n");
  return new EngineError(
    "RECOVERY_FAILED",
    `The results of this run could not be recorded in the state of "${app}/${stage}" or saved in ${path} (${messageOf(cause)}). These results are recorded nowhere:\n${list}\nTheir intents are in the state. Make sure that the state can be written, then run again. The next run finds resources whose type has read or is idempotent, and reports the others.`,
    { cause },
  );
}

/** What results are about, without any of their values. */
function namesOf(results: readonly Result[], { records }: Contents): readonly string[] {
  const names = results.flatMap(({ intents, data }) => {
    const about = intents.map(({ key, uid }) => `"${key}" (${records.get(uid)?.kind ?? "unknown"})`);
    return data === undefined
      ? about
      : about.length > 0
        ? about.map((name) => `data of ${name}`)
        : [`data of "${data.owner}"`];
  });
  return [...new Set(names)];
}

/** Paths of the files that may belong to a stage. One look at one folder. */
export async function findRecoveries(rootDir: string, app: string, stage: string): Promise<string[]> {
  const prefix = prefixOf(app, stage);
  const names = await platform()
    .files.list(rootDir)
    .catch((error: unknown) => {
      if (isAbsence(error)) return [];
      throw error;
    });
  // What follows the prefix is a session's name: another stage's may begin with this one's and go on with a dot.
  const own = names.filter((name) => name.startsWith(prefix) && /^[^.]+\.json$/.test(name.slice(prefix.length)));
  return own.map((name) => join(rootDir, name));
}

/** A file, read; its results may be locked away still. */
export interface RecoveryFile extends Omit<Recovery, "results"> {
  /** True where they are: nobody without the key of the stage can have written them. */
  readonly isLocked: boolean;
  /** @throws EngineError where they are locked away, and the cipher does not open */
  results(recoveryCipher: RecoveryCipher | undefined): Promise<readonly Result[]>;
}

/** What a file holds; a text says why it cannot be used, and undefined that it is gone. */
export async function readRecovery(path: string): Promise<RecoveryFile | string | undefined> {
  try {
    return bodyOf(await platform().files.read(path));
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

export function removeRecovery(path: string): Promise<void> {
  return platform().files.remove(path);
}

/** Keeps a file under a name that no run looks for, and returns its path. */
export async function setRecoveryAside(path: string): Promise<string> {
  const aside = path.replace(/json$/, "stale.json");
  await platform().files.rename(path, aside);
  return aside;
}

function prefixOf(app: string, stage: string): string {
  return `engine-recovery.${encodeName(app)}.${encodeName(stage)}.`;
}

function textOf(body: Body): string {
  return `${digested(JSON.stringify(body, null, 1)).text}\n`;
}

/** A sealed text is of use for this one file only. */
function boundOf({ app, stage, lineage, session, seq }: Omit<Recovery, "results">): string {
  return JSON.stringify([app, stage, lineage, session, seq]);
}

async function resultsIn(
  { results, sealed, ...about }: Body,
  recoveryCipher: RecoveryCipher | undefined,
): Promise<readonly Result[]> {
  if (sealed === undefined) return results ?? [];
  if (recoveryCipher) return JSON.parse(await recoveryCipher.unseal(sealed, boundOf(about)));
  throw new EngineError("PLUGIN_FAILED", "The recovery file is encrypted, and this engine cannot decrypt it.");
}

function bodyOf(text: string): RecoveryFile | string {
  if (readDigested(text.trimEnd()) === undefined) return "it is damaged";
  const body = JSON.parse(text) as Body;
  const { format, app, stage, lineage, session, seq } = body;
  if (format > FORMAT) return `a newer version of scope-engine wrote it (format ${format})`;
  const isLocked = body.sealed !== undefined;
  return { app, stage, lineage, session, seq, isLocked, results: (recoveryCipher) => resultsIn(body, recoveryCipher) };
}
