/** Files are written aside, next to where they belong, under a name that only their resource has. */

import { chmod, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasCode, isAbsence, whenFree } from "../../core/base/index.js";
import type { HandlerBase } from "../../core/contract/index.js";
import { encodeName } from "../../core/state/index.js";
import type { Entry, Fingerprint } from "./fingerprint.js";
import { makeParents } from "./implied-folders.js";
import type { FileContent } from "./managed-file.js";
import type { ResolvedPath } from "./paths.js";

export interface Aside {
  readonly path: string;
  readonly fingerprint: Fingerprint;
}

/** The uid is in it, so that an interrupted create recognises what it has left. */
export function temporaryOf({ uid }: HandlerBase, { absolute }: ResolvedPath): string {
  return join(dirname(absolute), `.${encodeName(uid)}.tmp`);
}

/** Writes the content, with the declared permissions, else those of the file that it replaces. */
export async function writeAside(
  context: HandlerBase,
  resolved: ResolvedPath,
  content: FileContent,
  replaces: Entry | undefined,
): Promise<Aside> {
  const path = temporaryOf(context, resolved);
  await discard(path);
  try {
    const fingerprint = await writeWithParents(context, resolved, content, path);
    const mode = content.mode ?? (replaces && replaces.mode & 0o7777);
    if (mode !== undefined) await chmod(path, mode);
    return { path, fingerprint };
  } catch (error) {
    await discard(path);
    throw error;
  }
}

/** Removes a temporary file, if it is there. */
export async function discard(path: string): Promise<void> {
  await whenFree(() => unlink(path)).catch((error: unknown) => {
    if (!isAbsence(error)) throw error;
  });
}

async function writeWithParents(
  context: HandlerBase,
  resolved: ResolvedPath,
  content: FileContent,
  path: string,
): Promise<Fingerprint> {
  try {
    return await content.writeTo(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    await makeParents(context, resolved);
    return content.writeTo(path);
  }
}
