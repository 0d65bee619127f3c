import type { Scope } from "./scope.js";

/** A string is for the shell; a list is a program and its arguments, and no shell is involved. */
export type CommandLine = string | readonly [program: string, ...args: string[]];

/** A text that is shown to nobody by accident, such as a secret. */
export interface ConcealedText {
  readonly unencrypted: string;
}

/** Added to the environment of this process. A member that is `undefined` counts as absent. */
export type ChildEnvironment = Readonly<Record<string, string | ConcealedText | undefined>>;

/** Options of {@link Scope.exec}. */
export interface ExecOptions {
  /** Folder to run in, relative to the scope's `rootDir`. Default: `rootDir`. */
  readonly cwd?: string;
  /** Added to the environment of this process. Secrets are passed on as they are. */
  readonly env?: ChildEnvironment;
  /** Milliseconds that the command may take. Default: as long as it likes. */
  readonly timeout?: number;
  /** Aborting it ends the command. */
  readonly signal?: AbortSignal;
  /** Bytes to keep of each stream, from the end, in whole lines. Default: 8 MiB. */
  readonly maxOutput?: number;
}

/** What a command gave. */
export interface ExecResult {
  /** Where a signal ended it: 128 and the signal's number, e.g. 137 for SIGKILL. */
  readonly exitCode: number;
  /** As it was written, secrets and all. */
  readonly stdout: string;
  /** As it was written, secrets and all. */
  readonly stderr: string;
}

/** Options of {@link Scope.spawn}. */
export interface SpawnOptions {
  /** The program; no shell is involved. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Folder to run in, relative to the scope's `rootDir`. Default: `rootDir`. */
  readonly cwd?: string;
  /** Added to the environment of this process. Secrets are passed on as they are. */
  readonly env?: ChildEnvironment;
  /** Called with each line of the output, from its first on, until it returns a string: `spawn` resolves with that. */
  readonly extract?: (line: string) => string | undefined;
}

/** Options of {@link Scope.openTunnel}. */
export interface TunnelOptions {
  /** Name or address at which this machine reaches the port. Default: `127.0.0.1`. */
  readonly host?: string;
}
