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

/** Settings to start a provider. */
export interface ProviderLaunch {
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory. */
  readonly folder: string;
  /** Name in messages. Default: the name of its file. */
  readonly name?: string;
  /** Cancels the start. */
  readonly signal?: AbortSignal;
  /** Milliseconds to report its address. Default: a minute. */
  readonly startTimeout?: number;
  /** Path of its log for errors, which then show one line of it. Default: errors show its last lines. */
  readonly logFile?: string;
  log(level: LogLevel, text: string): void;
}

/** Maximum lines in an error. */
const SHOWN = 20;

/** Maximum characters of each line. */
const LONGEST = 2_000;

/** Maximum milliseconds from its exit to the end of its output. */
const DRAIN = 500;

/** Maximum bytes of the folder of a socket, on the system with the shortest limit. */
const LONGEST_FOLDER = 70;

/** A provider process with its log and its handshake. */
export class ProviderProcess {
  readonly name: string;
  /** Resolves at the end of the process, with the end of a sentence about it. */
  readonly ended: Promise<string>;
  /** Folder of its sockets, which only its owner can open. */
  readonly sockets: string;
  readonly #child: ChildProcess;
  readonly #logFile: string | undefined;
  readonly #last: string[] = [];
  /** First line of a crash. It mostly comes long before the last lines. */
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
    // The caller awaits it later. Until then a rejection must not end the program.
    this.#handshake.promise.catch(() => {});
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** @throws EngineError `PROVIDER_FAILED` if the process ends first, writes another line, or none in time */
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

  /** Lets the program end while the process runs. The process then ends with it. */
  unref(): void {
    this.#child.unref();
    for (const pipe of this.#pipes()) pipe.unref();
  }

  /** Keeps the program alive until the process ends. */
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

  /** Returns an error with the last log lines. @param what it did, as the end of a sentence about it */
  failure(what: string, cause?: unknown): EngineError {
    const said = this.#last.length === 0 ? "It wrote nothing." : this.#said();
    return new EngineError("PROVIDER_FAILED", `The provider "${this.name}" ${what.replace(/\.+$/, "")}. ${said}`, {
      cause,
    });
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

  /** Reads the handshake from the first line of its output. The rest is ignored. */
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
      gate.addLine(line);
    };
    this.#child.stderr?.on("data", (bytes: Buffer) => lines.add(bytes).forEach(take));
    this.#child.stderr?.once("close", () => {
      lines.end().forEach(take);
      gate.reportLeftOut();
    });
  }
}

/** Resolves when the process has ended and its last output was read. */
function endOf(child: ChildProcess): Promise<string> {
  const { promise, resolve } = withResolvers<string>();
  child.once("error", (error) => resolve(`could not be started (${messageOf(error)})`));
  child.once("exit", (code, signal) => {
    const tell = (): void => resolve(howItEnded(code, signal));
    // Processes that it started may keep its output open forever.
    const timer = setTimeout(tell, DRAIN);
    child.once("close", () => {
      clearTimeout(timer);
      tell();
    });
  });
  return promise;
}

/** Exit codes 126 and 127 come from the shell that could not become the provider. */
function howItEnded(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal !== null) return `was ended by ${signal}`;
  return code === 126 || code === 127 ? "could not be started" : `ended with exit code ${code}`;
}

function socketFolder(): string {
  const base = Buffer.byteLength(tmpdir()) <= LONGEST_FOLDER || process.platform === "win32" ? tmpdir() : "/tmp";
  const folder = mkdtempSync(join(base, "provider-"));
  // Independent of the umask of this process.
  chmodSync(folder, 0o700);
  return folder;
}

/** A child process that ends with this process, even if this process is killed and cannot end it. */
interface GuardedCall {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Deleted after the process has ended. */
  readonly folder: string;
}

/**
 * The guard is a shell in the process group of the child. It waits for the end of a pipe that this process holds and
 * never writes to. The kernel closes the pipe when this process ends. Then the guard terminates the group, removes the
 * folder, and kills the group, with itself, after at most two seconds. The child replaces the shell that started the
 * guard, so the id and the exit code of the spawned process are those of the child.
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

/** True for tokens of registries (`TF_TOKEN_*`). They are for downloads, so no provider gets them. */
const isToken = (name: string): boolean => name.startsWith("TF_TOKEN_");

export function startGuarded({ command, args, env, cwd, folder }: GuardedCall): ChildProcess {
  const isWindows = process.platform === "win32";
  const options = {
    cwd,
    env: childEnvironment(env, isToken),
    ...ownGroup({ outlives: false }),
  } as const;
  // Windows ends child processes with their parent.
  const child = isWindows
    ? spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] })
    : spawn("/bin/sh", ["-c", GUARD, folder, command, ...args], {
        ...options,
        stdio: ["ignore", "pipe", "pipe", "pipe"],
      });
  // Kills the guard and the remaining processes of the child. While the guard runs, no other group has this id.
  child.once("exit", () => {
    if (child.pid !== undefined && !isWindows) killGroup(child.pid);
    rmSync(folder, { recursive: true, force: true });
  });
  child.once("error", () => rmSync(folder, { recursive: true, force: true }));
  return child;
}

/** Kills the child at once, with all processes that it started. */
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
