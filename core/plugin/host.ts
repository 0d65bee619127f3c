/** The process that a program runs in, where something started it that wants a word before an app opens. */
import { processWide } from "../base/index.js";
import type { Scope } from "../contract/index.js";

/** What starts programs, such as the command line. */
export interface Host {
  /**
   * Called for each app, with the options that hold, before its state is loaded. `engine()` waits for it and rejects with what it rejects
   * with; where it never resolves, the program goes no further.
   */
  opening(root: Scope): Promise<void>;
  /**
   * Called where another run changed what that of an app had read, before this one changed anything. True: the host runs the program
   * again, in another process, and nobody is told that this run has failed.
   */
  repeats?(root: Scope): boolean;
}

// Of all copies of the package: the program may have another one than what started it.
const started = processWide<{ host: Host | undefined }>("host@1", () => ({ host: undefined }));

export function setHost(host: Host): void {
  started.host = host;
}

/** True where something has started the program, which is to fail where that leaves its run in the midst. */
export function hasHost(): boolean {
  return started.host !== undefined;
}

/** Undefined where nobody wants to know. */
export function beforeOpen(root: Scope): Promise<void> | undefined {
  return started.host?.opening(root);
}

export function isRepeatedByHost(root: Scope): boolean {
  return started.host?.repeats?.(root) ?? false;
}
