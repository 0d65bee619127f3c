/** The process of a provider, from its start to its end. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { EngineError, hasCode, messageOf, monotonicNow, withResolvers } from "../../../../core/base/index.js";
import { childEnvironment } from "../../../internal/process/child-process.js";
import { ownGroup } from "../../../internal/process/process-group.js";
import { Lines } from "../../../internal/text/lines.js";
import { maskedStart } from "../../../secrets/redactor.js";
import { type Handshake, MAGIC_COOKIE, PROTOCOLS, readHandshake } from "./handshake.js";
import { isCrash, LogGate, type LogLevel, logLineOf } from "./provider-log.js";

/** How a provider is started. */
export interface ProviderLaunch {
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where it runs. */
  readonly folder: string;
  /** What messages call it. Default: the name of its file. */
  readonly name?: string;
  /** Breaks off the start. */
  readonly signal?: AbortSignal;
  /** Milliseconds that it has to say how it is to be reached. Default: a minute. */
  readonly startTimeout?: number;
  /** Where its log is kept: errors name that, and show one line of it. Default: errors show its last lines. */
  readonly logFile?: string;
  log(level: LogLevel, text: string): void;
}

/** Lines that an error shows. */
const SHOWN = 20;

/** Characters of each, of which more are left out. */
const LONGEST = 2_000;

/** Milliseconds from its exit to the end of its output. */
const DRAIN = 500;

/** Bytes that the path of a socket may have, on the system that takes the fewest, without its name. */
const LONGEST_FOLDER = 70;

/** A provider's process, its log, and what it says of itself. */
export class ProviderProcess {
  readonly name: string;
  /** Resolves with how it ended, as the end of a sentence about it. */
  readonly ended: Promise<string>;
  /** Of its owner alone: its sockets are in it. */
  readonly sockets: string;
  readonly #child: ChildProcess;
  readonly #logFile: string | undefined;
  readonly #last: string[] = [];
  /** Why it crashed: long before its last lines, mostly. */
  #crash: string | undefined;
  readonly #handshake = withResolvers<Handshake>();
  #end: string | undefined;

  constructor(
    { command, args = [], env = {}, folder, name = basename(command), logFile, log }: ProviderLaunch,
    certificate: string,
  ) {
    this.name = name;
    this.#logFile = logFile;
    this.sockets = socketFolder();
    const own = { ...MAGIC_COOKIE, PLUGIN_PROTOCOL_VERSIONS: PROTOCOLS, PLUGIN_CLIENT_CERT: certificate };
    const ports = { PLUGIN_MIN_PORT: "10000", PLUGIN_MAX_PORT: "25000", PLUGIN_UNIX_SOCKET_DIR: this.sockets };
    const all = { ...env, ...own, ...ports };
    this.#child = startGuarded({ command, args, env: all, cwd: folder, folder: this.sockets });
    this.ended = this.#watchEnd();
    this.#readOutput();
    this.#readLog(log);
    // Asked for by whoever starts it; until then it is no failure of the program.
    this.#handshake.promise.catch(() => {});
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** @throws EngineError `PROVIDER_FAILED` where it ends first, says something else, or says nothing in time */
  async handshake(timeout: number, signal: AbortSignal | undefined): Promise<Handshake> {
    signal?.throwIfAborted();
    const late = `did not report its address within ${timeout / 1_000} s`;
    const timer = setTimeout(() => this.#handshake.reject(this.failure(late)), timeout);
    const onAbort = (): void => this.#handshake.reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      return await this.#handshake.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** The program may end though this process runs: it ends with it. */
  unref(): void {
    this.#child.unref();
    for (const pipe of this.#pipes()) pipe.unref();
  }

  /** Its end is waited for. */
  ref(): void {
    this.#child.ref();
    for (const pipe of this.#pipes()) pipe.ref();
  }

  terminate(): void {
    this.#child.kill("SIGTERM");
  }

  kill(): void {
    if (!this.hasEnded) killGuarded(this.#child);
  }

  /** @param what it did, as the end of a sentence about it */
  failure(what: string, cause?: unknown): EngineError {
    const said = this.#last.length === 0 ? "It wrote nothing." : this.#said();
    return new EngineError("PROVIDER_FAILED", `The provider "${this.name}" ${what}. ${said}`, { cause });
  }

  #said(): string {
    const [crash, last = ""] = [this.#crash, this.#last.at(-1)];
    if (this.#logFile !== undefined) {
      const line = crash === undefined ? `Its last line: ${logLineOf(last).text}` : logLineOf(crash).text;
      return `${line}\n  Its log: ${this.#logFile}`;
    }
    const before = crash === undefined || this.#last.includes(crash) ? [] : [crash, "…"];
    return `Its last lines:${[...before, ...this.#last].map((line) => `\n  ${logLineOf(line).text}`).join("")}`;
  }

  async #watchEnd(): Promise<string> {
    this.#end = await endOf(this.#child);
    this.#handshake.reject(this.failure(`${this.#end} before it reported its address`));
    return this.#end;
  }

  #pipes(): readonly Socket[] {
    return this.#child.stdio.filter((pipe) => pipe instanceof Socket);
  }

  /** Its first line is the handshake; what else it writes there is for nobody. */
  #readOutput(): void {
    const lines = new Lines();
    let isFirst = true;
    this.#child.stdout?.on("data", (bytes: Buffer) => {
      if (!isFirst) return;
      for (const line of lines.add(bytes).slice(0, 1)) {
        isFirst = false;
        this.#shakeHands(line);
      }
    });
  }

  #shakeHands(line: string): void {
    const read = readHandshake(line);
    if ("problem" in read) this.#handshake.reject(this.failure(read.problem));
    else this.#handshake.resolve(read);
  }

  #readLog(log: ProviderLaunch["log"]): void {
    const lines = new Lines();
    const gate = new LogGate(log, monotonicNow);
    const take = (line: string): void => {
      if (line.trim() === "") return;
      const kept = maskedStart(line, LONGEST);
      this.#last.push(kept);
      if (isCrash(kept)) this.#crash ??= kept;
      if (this.#last.length > SHOWN) this.#last.shift();
      gate.add(line);
    };
    this.#child.stderr?.on("data", (bytes: Buffer) => lines.add(bytes).forEach(take));
    this.#child.stderr?.once("close", () => {
      lines.end().forEach(take);
      gate.end();
    });
  }
}

/** Resolves when it has ended, and what it wrote at last is there. */
function endOf(child: ChildProcess): Promise<string> {
  const { promise, resolve } = withResolvers<string>();
  child.once("error", (error) => resolve(`could not be started (${messageOf(error)})`));
  child.once("exit", (code, signal) => {
    const tell = (): void => resolve(howItEnded(code, signal));
    // What it has started may keep its output open for ever.
    const timer = setTimeout(tell, DRAIN);
    child.once("close", () => {
      clearTimeout(timer);
      tell();
    });
  });
  return promise;
}

/** 126 and 127 are of the shell that was to become it. */
function howItEnded(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal !== null) return `was ended by ${signal}`;
  return code === 126 || code === 127 ? "could not be started" : `ended with exit code ${code}`;
}

function socketFolder(): string {
  const base = Buffer.byteLength(tmpdir()) <= LONGEST_FOLDER || process.platform === "win32" ? tmpdir() : "/tmp";
  const folder = mkdtempSync(join(base, "provider-"));
  // Whatever the mask of this process is.
  chmodSync(folder, 0o700);
  return folder;
}

/** A child process that ends with this one, also where this one is killed: then nothing of it runs any more that could end it. */
interface GuardedCall {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Goes when the process has gone. */
  readonly folder: string;
}

/**
 * The guard is a shell in the group of the child. It waits for the end of a pipe that this process holds and never writes to, which
 * the kernel closes with it. Then it ends the group, which has two seconds for that, removes the folder, and goes as the last of the
 * group. The child takes the place of the shell that has started the guard, so that its id and its exit are those of the child.
 */
const GUARD = `(trap '' TERM INT HUP
read -r end <&3
kill -s TERM -- -$$
rm -rf -- "$0"
left=20
while [ $left -gt 0 ] && kill -s 0 $$; do sleep 0.1 || sleep 1; left=$((left - 1)); done
kill -s KILL -- -$$) </dev/null >/dev/null 2>&1 &
exec 3<&-
exec "$@"`;

/** Tokens of registries (`TF_TOKEN_*`) are for downloads: no provider gets them. */
const isToken = (name: string): boolean => name.startsWith("TF_TOKEN_");

export function startGuarded({ command, args, env, cwd, folder }: GuardedCall): ChildProcess {
  const isWindows = process.platform === "win32";
  const options = {
    cwd,
    env: childEnvironment(env, isToken),
    ...ownGroup({ outlives: false }),
  } as const;
  // Windows ends what a process has started with it.
  const child = isWindows
    ? spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] })
    : spawn("/bin/sh", ["-c", GUARD, folder, command, ...args], {
        ...options,
        stdio: ["ignore", "pipe", "pipe", "pipe"],
      });
  // The guard, and what the child may have left, go with it. As long as the guard is there, no other group has this id.
  child.once("exit", () => {
    if (child.pid !== undefined && !isWindows) killGroup(child.pid);
    rmSync(folder, { recursive: true, force: true });
  });
  child.once("error", () => rmSync(folder, { recursive: true, force: true }));
  return child;
}

/** At once, with all that it has started. */
function killGuarded(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (process.platform === "win32") child.kill("SIGKILL");
  else killGroup(child.pid);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!hasCode(error, "ESRCH", "EPERM")) throw error;
  }
}
