/** The surroundings of a simulated process: the files of its machine, and its process object. */
import { createHmac } from "node:crypto";
import type { EventEmitter } from "node:events";
import type { HostProcess, LocalFiles, ScryptCost } from "../../../core/base/index.js";
import type { Machine } from "./machine.js";

/** @param answer does the work, and returns its result a moment later */
export function localFiles(machine: Machine, answer: <T>(act: () => T) => Promise<T>): LocalFiles {
  const { readNow, writeNow, ...files } = machine.localFiles;
  return {
    list: (folder) => answer(() => files.list(folder)),
    read: (path) => answer(() => files.read(path)),
    rename: (from, to) => answer(() => files.rename(from, to)),
    remove: (path) => answer(() => files.remove(path)),
    writeNew: (path, text) => answer(() => files.writeNew(path, text)),
    readNow,
    writeNow,
  };
}

/** @param printed receives the output of its standard streams */
export function hostProcess(emitter: EventEmitter, printed: string[], exit: () => void): HostProcess {
  const stream = { isTTY: false, write: (text: string) => printed.push(text) > 0 };
  const host = {
    on: (event: string, listener: (value: unknown) => void) => emitter.on(event, listener),
    off: (event: string, listener: (value: unknown) => void) => emitter.off(event, listener),
    exit,
    exitCode: undefined,
    stdout: stream,
    stderr: stream,
  };
  // Node's own type has more members than the used part.
  return host as unknown as HostProcess;
}

/** A cheap key derivation that still depends on password, salt and cost. */
export function derivedKey(password: string, salt: Buffer, length: number, { N, r, p }: ScryptCost): Buffer {
  return createHmac("sha512", salt)
    .update(JSON.stringify([password, N, r, p]))
    .digest()
    .subarray(0, length);
}
