/** Records the changes of a program to the files below a folder, and which of them are synced. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, resolve, sep } from "node:path";

/** `file` is a number for the contents of a file, whatever its names. */
export type DiskOperation =
  | { readonly op: "write"; readonly file: number; readonly text: string }
  | { readonly op: "sync"; readonly file: number }
  /** A name was given, or removed if there is no file. */
  | { readonly op: "name"; readonly folder: string; readonly path: string; readonly file?: number }
  | { readonly op: "sync folder"; readonly folder: string };

export interface Recorder {
  /** Every effect so far, in the order of completion. */
  readonly log: DiskOperation[];
  /** Restores the file system functions. */
  stop(): void;
}

type Args = readonly unknown[];
// biome-ignore lint/suspicious/noExplicitAny: whatever node:fs has under these names
type Functions = Record<string, any>;

export function recordDisk(root: string): Recorder {
  const log: DiskOperation[] = [];
  const originals: [Functions, string, unknown][] = [];
  const files = new Map<string, number>();
  const descriptors = new Map<number, number | string>();
  let count = 0;

  const within = (path: unknown): string | undefined => {
    const whole = typeof path === "string" ? resolve(path) : "";
    return whole === root || whole.startsWith(root + sep) ? whole : undefined;
  };
  const name = (path: string, file?: number): void => {
    if (file === undefined) files.delete(path);
    else files.set(path, file);
    log.push({ op: "name", folder: dirname(path), path, file });
  };
  const synced = (target: number | string | undefined): void => {
    if (typeof target === "number") log.push({ op: "sync", file: target });
    if (typeof target === "string") log.push({ op: "sync folder", folder: target });
  };
  const replace = (where: Functions, key: string, make: (original: (...args: Args) => unknown) => unknown): void => {
    const original = where[key];
    originals.push([where, key, original]);
    const made = make(original);
    // promisify uses members of the function.
    if (typeof made === "function") Object.defineProperties(made, Object.getOwnPropertyDescriptors(original));
    where[key] = made;
  };
  const after = (key: string, note: (args: Args, result: unknown) => void): void =>
    replace(fs.promises, key, (original) => async (...args: Args) => {
      const result = await original(...args);
      note(args, result);
      return result;
    });

  after("open", ([path, flags], handle) => {
    const whole = within(path);
    if (whole === undefined) return;
    if (flags === "wx") name(whole, ++count);
    const target = files.get(whole) ?? whole;
    replace(handle as Functions, "writeFile", (original) => async (text: string) => {
      await original.call(handle, text);
      if (typeof target === "number") log.push({ op: "write", file: target, text });
    });
    replace(handle as Functions, "sync", (original) => async () => {
      await original.call(handle);
      synced(target);
    });
  });
  after("link", ([existing, path]) => {
    const whole = within(path);
    if (whole !== undefined) name(whole, files.get(resolve(String(existing))));
  });
  after("rename", ([existing, path]) => {
    const [from, to] = [within(existing), within(path)];
    if (from === undefined || to === undefined) return;
    name(to, files.get(from));
    name(from);
  });
  after("unlink", ([path]) => {
    const whole = within(path);
    if (whole !== undefined) name(whole);
  });
  replace(fs, "openSync", (original) => (...args: Args) => {
    const descriptor = original(...args) as number;
    const file = files.get(within(args[0]) ?? "");
    if (file !== undefined) descriptors.set(descriptor, file);
    return descriptor;
  });
  const wrote = (descriptor: unknown, bytes: unknown, from: unknown, length: unknown): void => {
    const file = descriptors.get(Number(descriptor));
    if (typeof file !== "number" || !Buffer.isBuffer(bytes)) return;
    const start = Number(from ?? 0);
    log.push({ op: "write", file, text: bytes.subarray(start, start + Number(length)).toString() });
  };
  replace(fs, "writeSync", (original) => (...args: Args) => {
    const written = original(...args);
    wrote(args[0], args[1], args[2], written);
    return written;
  });
  replace(fs, "closeSync", (original) => (...args: Args) => {
    descriptors.delete(Number(args[0]));
    return original(...args);
  });
  for (const key of ["write", "fdatasync"]) {
    replace(fs, key, (original) => (...args: Args) => {
      const done = args.at(-1) as (error: unknown, ...rest: Args) => void;
      original(...args.slice(0, -1), (error: unknown, ...rest: Args) => {
        if (!error && key === "write") wrote(args[0], args[1], args[2], rest[0]);
        if (!error && key === "fdatasync") synced(descriptors.get(Number(args[0])));
        done(error, ...rest);
      });
    });
  }
  syncBuiltinESMExports();
  return {
    log,
    stop() {
      for (const [where, key, original] of originals) where[key] = original;
      syncBuiltinESMExports();
    },
  };
}
