import { copyFile, stat } from "node:fs/promises";
import { EngineError, flag, isAbsence, required } from "../../core/base/index.js";
import type { HandlerBase } from "../../core/contract/index.js";
import { Resource } from "../../core/resource/index.js";
import type { FileContent } from "./implied-folders.js";
import { type Fingerprint, lookAt } from "./input-files.js";
import {
  createFile,
  declaredMode,
  deleteFile,
  type FileOutput,
  movesFile,
  noteFailure,
  readFile,
  readInterrupted,
  updateFile,
} from "./managed-file.js";
import { keyOfPath, knownPath, locate, locateIfAllowed, type ResolvedPath, removedOutside } from "./paths.js";
import { mode, path, propsSchema } from "./props-schema.js";

/** Props of {@link CopyFile}. */
export interface CopyFileProps {
  /** The source, relative to the scope's `rootDir`. */
  readonly from: string;
  /** Path of the copy, relative to the scope's `rootDir`. */
  readonly to: string;
  /** Permission bits of the copy. Default: those of the source when it is first copied. */
  readonly mode?: number;
  /** Both paths may be outside the root folder. Default: false. */
  readonly outside?: boolean;
}

/** Output of a `CopyFile`. */
export interface CopyFileOutput extends FileOutput {
  /** SHA-256 of the copied source, in hexadecimal. */
  readonly sourceSha256: string;
}

/**
 * A copy of a file that follows its source: every up reads both, and copies again if they differ. For everything else
 * see {@link File}; in contrast to that, the content is not kept in the state.
 *
 * @throws EngineError `FILE_EXISTS`, `OUTSIDE_ROOT`, `INVALID_PROPS`, also if the source does not exist
 *
 * @example
 * ```ts
 * await CopyFile("logo", { from: "assets/logo.png", to: "public/logo.png" });
 * ```
 */
export const CopyFile = Resource<CopyFileOutput, CopyFileProps>("fs:CopyFile", {
  schema: propsSchema<CopyFileProps>({ from: required(path), to: required(path), mode, outside: flag }),
  verify: true,
  async create(context) {
    const { props } = context;
    return noteFailure(context, async () => {
      const resolved = await pathOf(context, props);
      return copied(await createFile(context, resolved, await contentOf(context, props, resolved)));
    });
  },
  async read(context) {
    const { recovering, output, previous, props } = context;
    if (recovering) {
      const resolved = await locateIfAllowed(context, previous.to, previous);
      const found = resolved && (await readInterrupted(context, resolved, await sourceIfThere(context, previous)));
      return found && copied(found);
    }
    const to = output?.path ?? props.to;
    const resolved = await pathOf(context, { ...props, to });
    if (!output) await refuseItself(context, props, resolved);
    const found = await readFile(context, resolved, props.mode);
    return found && { ...found, sourceSha256: (await sourceOf(context, props)).sha256 };
  },
  async update(context) {
    const resolved = await pathOf(context, context.props);
    return copied(await updateFile(context, resolved, await contentOf(context, context.props, resolved)));
  },
  async delete(context) {
    return deleteFile(context, await pathOf(context, { ...context.props, to: context.output.path }));
  },
  describeDelete: ({ props, output }) => removedOutside(props, output),
  outputs: ({ props, output }) => ({ ...knownPath(props.to, output?.path), ...declaredMode(props) }),
  replaces: ({ props, output }) => movesFile(props.to, output),
});

/** Adds the digest of the source, which right after copying is that of the copy. */
function copied(file: FileOutput): CopyFileOutput {
  return { ...file, sourceSha256: file.sha256 };
}

function pathOf(context: HandlerBase, { to, outside }: CopyFileProps): Promise<ResolvedPath> {
  return locate(context, to, { outside });
}

async function contentOf(context: HandlerBase, props: CopyFileProps, resolved: ResolvedPath): Promise<FileContent> {
  const { path, absolute } = await refuseItself(context, props, resolved);
  if (!(await isFile(absolute))) throw noSource(path);
  return {
    mode: props.mode,
    async writeTo(temporary) {
      await copyFile(absolute, temporary);
      // Read back, because the source may have changed during the copy.
      const copy = await lookAt(temporary);
      if (!copy) throw noSource(path);
      return copy;
    },
  };
}

/**
 * Returns the source. Refuses a copy to itself: adoption would make the source the copy, and a delete would remove it.
 */
async function refuseItself(
  context: HandlerBase,
  { from, outside }: CopyFileProps,
  to: ResolvedPath,
): Promise<ResolvedPath> {
  const source = await locate(context, from, { outside, follow: true });
  if (keyOfPath(source) !== keyOfPath(to)) return source;
  throw new EngineError(
    "INVALID_PROPS",
    `"${source.path}" cannot be copied to itself. Set "from" and "to" to different files.`,
  );
}

async function sourceOf(context: HandlerBase, { from, outside }: CopyFileProps): Promise<Fingerprint> {
  const { path, absolute } = await locate(context, from, { outside, follow: true });
  const source = await lookAt(absolute);
  if (!source) throw noSource(path);
  return source;
}

async function sourceIfThere(context: HandlerBase, { from, outside }: CopyFileProps): Promise<Fingerprint | undefined> {
  const resolved = await locateIfAllowed(context, from, { outside, follow: true });
  return resolved && lookAt(resolved.absolute);
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

function noSource(path: string): EngineError {
  return new EngineError("INVALID_PROPS", `The source "${path}" does not exist or is not a file.`);
}
