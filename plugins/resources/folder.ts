import { stat } from "node:fs/promises";
import { EngineError, flag, isAbsence, required } from "../../core/base/index.js";
import type { HandlerBase } from "../../core/contract/index.js";
import { Resource } from "../../core/resource/index.js";
import { durable } from "./durable.js";
import {
  hasEmptyParent,
  isNoted,
  makeFolder,
  makeParents,
  note,
  removeEmpty,
  removeNote,
  removeParents,
} from "./implied-folders.js";
import {
  isElsewhere,
  knownPath,
  locate,
  locateIfAllowed,
  movedFrom,
  newOwnerOf,
  type ResolvedPath,
  registerPath,
  releasePath,
} from "./paths.js";
import { path, propsSchema } from "./props-schema.js";

/** Props of {@link Folder}. */
export interface FolderProps {
  /** Relative to the scope's `rootDir`; absolute paths inside it are fine too. */
  readonly path: string;
  /** The path may be outside the root folder. Default: false. */
  readonly outside?: boolean;
}

/** Output of a `Folder`. */
export interface FolderOutput {
  /** Relative to the root folder, with `/`; absolute only for an absolute path outside of it. */
  readonly path: string;
  /** True if the folder existed before: then the delete of the resource keeps it. */
  readonly existed: boolean;
}

/** Key of the note of the folder that a resource is about to create. */
const MAKING = "making";

/**
 * A folder, with the folders above it.
 *
 * An existing folder is used as it is, and kept when the resource is deleted. A folder that the resource created is
 * removed, but only if it is empty: files that the engine did not create stay, and the folder with them. A changed path
 * replaces the folder; its contents are not moved.
 *
 * @throws EngineError `FILE_EXISTS` if the path is not a folder, `OUTSIDE_ROOT`, `INVALID_PROPS`
 *
 * @example
 * ```ts
 * const site = await Folder("site", { path: "public" });
 * await File("index", { path: `${site.path}/index.html`, content: "<h1>hello</h1>" });
 * ```
 */
export const Folder = Resource<FolderOutput, FolderProps>("fs:Folder", {
  schema: propsSchema<FolderProps>({ path: required(path), outside: flag }),
  verify: true,
  // With a note of the resource.
  recognizesOwn: true,
  async create(context) {
    const resolved = await pathOf(context, context.props);
    registerPath(context, resolved);
    return make(context, resolved);
  },
  async read(context) {
    const { recovering, output, previous, props } = context;
    if (recovering) return readInterrupted(context, previous);
    const resolved = await pathOf(context, { ...props, ...output });
    registerPath(context, resolved);
    if (!(await isFolder(resolved))) return undefined;
    return { path: resolved.path, existed: output ? output.existed : !(await isNoted(context, resolved)) };
  },
  async update(context) {
    const { output } = context;
    const resolved = await pathOf(context, context.props);
    const { path } = resolved;
    if (await movedFrom(context, resolved, output.path, { follow: true })) return context.replace();
    registerPath(context, resolved);
    if (!(await isFolder(resolved))) return make(context, resolved);
    if (!output.existed) await inherit(context, resolved);
    return { ...output, path };
  },
  async delete(context) {
    const { output, props } = context;
    // Not followed: a link in its place is not the folder.
    const resolved = await locate(context, output.path, props);
    if (newOwnerOf(context, resolved) !== undefined) return output.existed ? undefined : note(context, resolved);
    releasePath(context, resolved);
    if (output.existed && !(await isNoted(context, resolved))) return;
    if (await removeEmpty(resolved)) {
      await removeNote(context, resolved);
      return removeParents(context, resolved);
    }
    // It may contain only files of the engine that are deleted later.
    await note(context, resolved);
    context.log(`"${resolved.path}" stays: it is not an empty folder.`);
  },
  outputs: ({ props, output }) => ({
    ...knownPath(props.path, output?.path),
    ...(output && { existed: output.existed }),
  }),
  replaces: ({ props, output }) => isElsewhere(props.path, output.path),
});

function pathOf(context: HandlerBase, { path, outside }: FolderProps): Promise<ResolvedPath> {
  return locate(context, path, { outside, follow: true });
}

async function make(context: HandlerBase, resolved: ResolvedPath): Promise<FolderOutput> {
  const { path } = resolved;
  if (await isFolder(resolved)) return { path, existed: !(await inherit(context, resolved)) };
  await makeParents(context, resolved);
  await context.set(MAKING, path);
  await durable(context);
  if (await makeFolder(resolved)) return { path, existed: false };
  await context.delete(MAKING);
  if (await isFolder(resolved)) return { path, existed: true };
  throw new EngineError("FILE_EXISTS", `"${path}" exists and is not a folder. Remove it, or choose another path.`);
}

/** Reads the result of an interrupted create: the folder, or only some of those above it. */
async function readInterrupted(context: HandlerBase, props: FolderProps): Promise<FolderOutput | undefined> {
  const resolved = await locateIfAllowed(context, props.path, { ...props, follow: true });
  if (!resolved) return undefined;
  const isOurs = (await isFolder(resolved))
    ? (await context.get(MAKING)) === resolved.path
    : await hasEmptyParent(context, resolved);
  return isOurs ? { path: resolved.path, existed: false } : undefined;
}

/**
 * Takes over a folder that was created for other resources before, or that an earlier resource left. False if it was
 * not.
 */
async function inherit(context: HandlerBase, resolved: ResolvedPath): Promise<boolean> {
  if (!(await isNoted(context, resolved))) return false;
  await context.set(MAKING, resolved.path);
  await removeNote(context, resolved);
  return true;
}

async function isFolder({ absolute }: ResolvedPath): Promise<boolean> {
  try {
    return (await stat(absolute)).isDirectory();
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}
