import { writeFile } from "node:fs/promises";
import { types } from "node:util";
import { flag, required } from "../../core/base/index.js";
import type { HandlerBase } from "../../core/contract/index.js";
import { Resource } from "../../core/resource/index.js";
import type { FileContent } from "./implied-folders.js";
import { fingerprintOf } from "./input-files.js";
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
import { knownPath, locate, locateIfAllowed, type ResolvedPath, removedOutside } from "./paths.js";
import { mode, path, propsSchema } from "./props-schema.js";

/** Props of {@link File}. */
export interface FileProps {
  /** Relative to the scope's `rootDir`; absolute paths inside it are fine too. */
  readonly path: string;
  /**
   * Content of the file; a string is written as UTF-8. It is kept in the state, too: use {@link CopyFile} for large
   * content.
   */
  readonly content: string | Uint8Array;
  /**
   * Permission bits, e.g. `0o600`. Default: those that the system gives to a new file; an existing file keeps its own.
   */
  readonly mode?: number;
  /** The path may be outside the root folder. Default: false. */
  readonly outside?: boolean;
}

/**
 * A file with the declared content.
 *
 * Every up reads it: content or declared permissions that another program changed are restored, and a missing file is
 * created again. A file that existed before is refused unless it is adopted. Missing folders above it are created, and
 * removed with the last resource in them. A changed path replaces the file. Its delete removes it, whatever it contains
 * by then.
 *
 * @throws EngineError `FILE_EXISTS`, `OUTSIDE_ROOT`, `INVALID_PROPS`
 *
 * @example
 * ```ts
 * const page = await File("index", { path: "public/index.html", content: "<h1>hello</h1>" });
 * console.log(page.path, page.size, page.sha256);
 * ```
 */
export const File = Resource<FileOutput, FileProps>("fs:File", {
  schema: propsSchema<FileProps>({
    path: required(path),
    content: required({ allowed: "a string or a Uint8Array", accepts: isContent }),
    mode,
    outside: flag,
  }),
  verify: true,
  async create(context) {
    const { props } = context;
    return noteFailure(context, async () => createFile(context, await pathOf(context, props), contentOf(props)));
  },
  async read(context) {
    const { recovering, output, previous, props } = context;
    if (!recovering) return readFile(context, await pathOf(context, { ...props, ...output }), props.mode);
    // Nothing was created at a refused path.
    const resolved = await locateIfAllowed(context, previous.path, previous);
    // An old version may have recorded content that it did not check.
    const expected = isContent(previous.content) ? fingerprintOf(bytesOf(previous)) : undefined;
    return resolved && readInterrupted(context, resolved, expected);
  },
  async update(context) {
    return updateFile(context, await pathOf(context, context.props), contentOf(context.props));
  },
  async delete(context) {
    return deleteFile(context, await pathOf(context, { ...context.props, ...context.output }));
  },
  describeDelete: ({ props, output }) => removedOutside(props, output),
  outputs: ({ props, output }) => ({
    ...knownPath(props.path, output?.path),
    // In a plan, the content may be an unknown value.
    ...(isContent(props.content) ? fingerprintOf(bytesOf(props)) : {}),
    ...declaredMode(props),
  }),
  replaces: ({ props, output }) => movesFile(props.path, output),
});

function pathOf(context: HandlerBase, { path, outside }: FileProps): Promise<ResolvedPath> {
  return locate(context, path, { outside });
}

function contentOf(props: FileProps): FileContent {
  const { mode } = props;
  const bytes = bytesOf(props);
  const fingerprint = fingerprintOf(bytes);
  return {
    mode,
    fingerprint,
    async writeTo(path) {
      // Even for a moment, it must not be readable for more users than the finished file.
      await writeFile(path, bytes, { flag: "wx", mode: mode ?? 0o666 });
      return fingerprint;
    },
  };
}

function isContent(content: unknown): content is FileProps["content"] {
  return typeof content === "string" || types.isUint8Array(content);
}

function bytesOf({ content }: FileProps): Uint8Array {
  return typeof content === "string" ? Buffer.from(content) : content;
}
