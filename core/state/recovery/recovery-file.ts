/** Recovery files, next to the project. Only this module knows their names and their format. */

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
  /** The newest entry of the journal that the session knew. */
  readonly seq: number;
  /** In the order in which they occurred, data first. */
  readonly results: readonly Result[];
}

/** Encrypts the results in a recovery file. */
export interface RecoveryCipher {
  /** Returns undefined if there is no key. @param bound context of the text, e.g. the names of a state */
  seal(text: string, bound: string): string | undefined;
  /** @throws EngineError if the key is missing or is another one */
  unseal(sealed: string, bound: string): Promise<string>;
}

/** The text of the file as JSON. */
interface Body extends Omit<Recovery, "results"> {
  readonly format: number;
  readonly results?: readonly Result[];
  /** The results, if they were encrypted. */
  readonly sealed?: string;
}

/** A file that no run can record. */
export interface UnusableRecovery {
  readonly problem: string;
  readonly advice: string;
}

const COMPARE = "Compare the changes of the run that wrote the file with the real resources, then delete the file.";

const DAMAGED: UnusableRecovery = { problem: "it is damaged", advice: COMPARE };

/** A file without encryption beside a sealed state: any program can have written it. */
export const UNENCRYPTED: UnusableRecovery = {
  problem: "it is not encrypted, but the state is sealed",
  advice: COMPARE,
};

interface Writing {
  readonly rootDir: string;
  readonly head: Head;
  readonly session: string;
  readonly results: readonly Result[];
  /** The recorded state to which the results refer. */
  readonly contents: Contents;
  readonly recoveryCipher: RecoveryCipher | undefined;
}

/** Writes the results that could not be recorded; returns the path, or undefined if there are none. */
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

/** Number of results that the message names. */
const MOST_NAMED = 20;

/**
 * Writes the file, whole or not at all, and returns its path. Synchronous, because the process may be about to end.
 * Returns undefined if the ledger has no entry, so that no handler was ever called.
 *
 * @throws EngineError `RECOVERY_FAILED` if it cannot be written; it names the unrecorded results
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
    `The results of this run could neither be recorded in the state of "${app}/${stage}" nor saved in ${path} (${messageOf(cause)}). These results are recorded nowhere:\n${list}\nThe state still records that these changes were begun. Make sure that the state can be written, then run again. The next run finds each resource whose type has a read handler or is idempotent, and reports the others.`,
    { cause },
  );
}

/** Names the subjects of results, without any of their values. */
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

/** Returns the paths of the files that may belong to a stage. Lists one folder once. */
export async function findRecoveries(rootDir: string, app: string, stage: string): Promise<string[]> {
  const prefix = prefixOf(app, stage);
  const names = await platform()
    .files.list(rootDir)
    .catch((error: unknown) => {
      if (isAbsence(error)) return [];
      throw error;
    });
  // The name of a session follows the prefix: the name of another stage may begin with this one's and continue with a
  // dot.
  const own = names.filter((name) => name.startsWith(prefix) && /^[^.]+\.json$/.test(name.slice(prefix.length)));
  return own.map((name) => join(rootDir, name));
}

/** A parsed file, whose results may still be encrypted. */
export interface RecoveryFile extends Omit<Recovery, "results"> {
  /** True if the results are encrypted: only a writer with the key of the stage can have written them. */
  readonly isLocked: boolean;
  /** @throws EngineError if they are encrypted and the cipher cannot decrypt them */
  results(recoveryCipher: RecoveryCipher | undefined): Promise<readonly Result[]>;
}

/** Reads a file. Returns undefined if it is gone. */
export async function readRecovery(path: string): Promise<RecoveryFile | UnusableRecovery | undefined> {
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

/** Renames a file to a name that no run looks for, and returns its path. */
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

/** Binds an encrypted text to this one file. */
function boundOf({ app, stage, lineage, session, seq }: Omit<Recovery, "results">): string {
  return JSON.stringify([app, stage, lineage, session, seq]);
}

async function resultsIn(
  { results, sealed, ...about }: Body,
  recoveryCipher: RecoveryCipher | undefined,
): Promise<readonly Result[]> {
  if (sealed === undefined) return results ?? [];
  if (recoveryCipher) return JSON.parse(await recoveryCipher.unseal(sealed, boundOf(about)));
  throw new EngineError(
    "PLUGIN_FAILED",
    "it is encrypted, and this engine cannot decrypt it. Use the plugins of the run that wrote it",
  );
}

function bodyOf(text: string): RecoveryFile | UnusableRecovery {
  if (readDigested(text.trimEnd()) === undefined) return DAMAGED;
  const body = JSON.parse(text) as Body;
  const { format, app, stage, lineage, session, seq } = body;
  if (format > FORMAT) {
    return {
      problem: `a newer version of scope-engine wrote it (format ${format})`,
      advice: "Update scope-engine, then run again.",
    };
  }
  const isLocked = body.sealed !== undefined;
  return { app, stage, lineage, session, seq, isLocked, results: (recoveryCipher) => resultsIn(body, recoveryCipher) };
}
