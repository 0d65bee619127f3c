/** The process of a provider, from its start to its end. */
import type { ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { EngineError, messageOf, monotonicNow, withResolvers } from "../../../../core/base/index.js";
import { Lines } from "../../../internal/lines.js";
import { maskedStart } from "../../../secrets/masked-start.js";
import { killGuarded, startGuarded } from "./guarded-child.js";
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
    const late = `has not said within ${timeout / 1_000} s how it is to be reached`;
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
    this.#handshake.reject(this.failure(`${this.#end} before it said how it is to be reached`));
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
