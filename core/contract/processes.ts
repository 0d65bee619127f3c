import type { Scope } from "./scope.js";

/** A command. A string is run by the shell; a list is a program and its arguments, run without a shell. */
export type CommandLine = string | readonly [program: string, ...args: string[]];

/** A text that is hidden when it is printed or serialised, such as a secret. */
export interface ConcealedText {
  readonly unencrypted: string;
}

/** Environment variables to add to those of this process. A member that is `undefined` counts as absent. */
export type ChildEnvironment = Readonly<Record<string, string | ConcealedText | undefined>>;

/** Options of {@link Scope.exec}. */
export interface ExecOptions {
  /** Folder to run in, relative to the scope's `rootDir`. Default: `rootDir`. */
  readonly cwd?: string;
  /** Variables to add to the environment of this process. Secrets are passed in plain text. */
  readonly env?: ChildEnvironment;
  /** Milliseconds that the command may take. Default: no limit. */
  readonly timeout?: number;
  /** Signal that ends the command when it is aborted. */
  readonly signal?: AbortSignal;
  /** Bytes to keep of each stream, from the end, in whole lines. Default: 8 MiB. */
  readonly maxOutput?: number;
}

/** Result of a command. */
export interface ExecResult {
  /** Exit code. If a signal ended the command: 128 plus the signal's number, e.g. 137 for SIGKILL. */
  readonly exitCode: number;
  /** Standard output as the command wrote it, including secrets. */
  readonly stdout: string;
  /** Standard error as the command wrote it, including secrets. */
  readonly stderr: string;
}

/** Options of {@link Scope.spawn}. */
export interface SpawnOptions {
  /** Program to run, without a shell. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Folder to run in, relative to the scope's `rootDir`. Default: `rootDir`. */
  readonly cwd?: string;
  /** Variables to add to the environment of this process. Secrets are passed in plain text. */
  readonly env?: ChildEnvironment;
  /**
   * Called with each line of the output, from the first on, until it returns a string. `spawn` resolves with that
   * string.
   */
  readonly extract?: (line: string) => string | undefined;
}

/** Options of {@link Scope.openTunnel}. */
export interface TunnelOptions {
  /** Name or address at which this machine reaches the port. Default: `127.0.0.1`. */
  readonly host?: string;
}
