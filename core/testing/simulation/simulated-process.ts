/** A process of the simulation: what runs in it lives in virtual time, and can be stopped or killed wherever it waits. */
import { createHmac } from "node:crypto";
import { EventEmitter } from "node:events";
import type { Cancel, HostProcess, LocalFiles, Platform, ScryptCost } from "../../platform.js";
import type { ProcessFate, ProcessIdentity, ProcessName } from "../../process/identity.js";
import type { Machine } from "./machine.js";
import type { Random } from "./random.js";
import type { VirtualTime } from "./virtual-time.js";

/** What befalls a process, as often as it is woken: at its first waking, its second, … */
export interface Blow {
  /** Number of the waking, from 1: it does not come to that, or only later. */
  readonly at: number;
  readonly what: "kill" | "SIGINT" | "SIGTERM" | { readonly pause: number };
}

export interface ProcessSettings {
  readonly name: string;
  readonly machine: Machine;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly blows: readonly Blow[];
  /** Runs a piece of the process's code, and all that follows from it at once. */
  enter(process: SimulatedProcess, code: () => void): void;
}

/** How long the machine takes for a file, at most, in milliseconds. */
const FILE = 0.5;
/** How long deriving a key takes, in milliseconds. */
const SCRYPT = 300;

export class SimulatedProcess implements Platform {
  readonly name: string;
  readonly belongings = new Map<string, unknown>();
  readonly files: LocalFiles;
  readonly process: HostProcess;
  /** Lines that it printed. */
  readonly printed: string[] = [];
  /** True once nothing of it can run any more. */
  isGone = false;
  /** What killed it or made it exit; undefined where it came to its natural end, or runs. */
  endedBy: string | undefined;
  readonly #settings: ProcessSettings;
  readonly #emitter = new EventEmitter();
  readonly #blows: Blow[];
  #identity: ProcessIdentity | undefined;
  #wakings = 0;
  #pausedUntil = 0;
  /** Timers and answers that keep it alive. */
  #awaited = 0;
  /** Timers that go on for ever and have not been taken back. */
  #beats = 0;
  readonly #ended: (() => void)[] = [];

  constructor(settings: ProcessSettings) {
    this.#settings = settings;
    this.name = settings.name;
    this.#blows = [...settings.blows].sort((one, other) => one.at - other.at);
    settings.machine.admit((identity) => {
      this.#identity = identity;
      const process = this;
      return {
        identity,
        get standing() {
          if (process.isGone) return "gone";
          return process.isPaused ? "stopped" : "runs";
        },
      };
    });
    this.files = this.#localFiles();
    this.process = this.#hostProcess();
  }

  get machine(): Machine {
    return this.#settings.machine;
  }

  /** Chance of its own for one purpose. */
  chance(purpose: string): Random {
    return this.#settings.random.fork(purpose);
  }

  get isPaused(): boolean {
    return this.#settings.time.now < this.#pausedUntil;
  }

  /** Milliseconds: the end of its last pause; 0 where it had none. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** Timers that go on for ever and have not been taken back. */
  get beats(): number {
    return this.#beats;
  }

  /** True while something may still happen in it by itself. */
  get isWaiting(): boolean {
    return !this.isGone && this.#awaited > 0;
  }

  /** How often it has been woken. */
  get wakings(): number {
    return this.#wakings;
  }

  /** Calls `listener` once it is gone. */
  onEnd(listener: () => void): void {
    this.#ended.push(listener);
  }

  /** Runs code of the process at a later moment; never, where it is gone by then. */
  wake(moment: number, code: () => void, isAwaited = true): Cancel {
    const { time } = this.#settings;
    if (isAwaited) this.#awaited++;
    let isOver = false;
    const leave = (): void => {
      if (isAwaited && !isOver) this.#awaited--;
      isOver = true;
    };
    const take = (): void => {
      if (this.isGone) return leave();
      if (this.isPaused) {
        cancel = time.at(this.#pausedUntil, take);
        return;
      }
      if (this.#isStruck(take, (again) => (cancel = again))) return;
      leave();
      this.#settings.enter(this, code);
    };
    let cancel = time.at(moment, take);
    return () => {
      cancel();
      leave();
    };
  }

  /** It waits for something outside of it, until the result is called. */
  hold(): () => void {
    let isOver = false;
    this.#awaited++;
    return () => {
      if (!isOver) this.#awaited--;
      isOver = true;
    };
  }

  /** Ends it at once: nothing that it waits for reaches it any more. */
  kill(how: string): void {
    if (this.isGone) return;
    this.isGone = true;
    this.endedBy = how;
    for (const listener of this.#ended.splice(0)) listener();
  }

  /** It has nothing left to do. */
  end(): void {
    if (this.isGone) return;
    this.isGone = true;
    for (const listener of this.#ended.splice(0)) listener();
  }

  /** Listeners get what the system would give them. False: nobody listens. */
  emit(event: string, value?: unknown): boolean {
    return this.#emitter.emit(event, value);
  }

  get listeners(): number {
    return this.#emitter.eventNames().reduce((sum, name) => sum + this.#emitter.listenerCount(name), 0);
  }

  monotonicNow(): number {
    return this.#settings.time.now;
  }

  timeOfDay(): string {
    return new Date(BEGINNING + this.#settings.time.now).toISOString();
  }

  after(milliseconds: number, fn: () => void): Cancel {
    return this.wake(this.#settings.time.now + Math.max(milliseconds, 1), fn);
  }

  every(milliseconds: number, fn: () => void): Cancel {
    let cancel: Cancel = () => {};
    const again = (): void => {
      cancel = this.wake(this.#settings.time.now + milliseconds, tick, false);
    };
    const tick = (): void => {
      again();
      fn();
    };
    again();
    this.#beats++;
    let isOver = false;
    return () => {
      if (!isOver) this.#beats--;
      isOver = true;
      cancel();
    };
  }

  nextTurn(fn: () => void): Cancel {
    return this.wake(this.#settings.time.now, fn);
  }

  uuid(): string {
    return this.#settings.random.uuid();
  }

  random(): number {
    return this.#settings.random.next();
  }

  randomBytes(size: number): Buffer {
    return this.#settings.random.bytes(size);
  }

  /** Not as dear as the real one, and as unlike for other passwords, salts and costs. */
  scrypt(password: string, salt: Buffer, length: number, { N, r, p }: ScryptCost): Promise<Buffer> {
    const key = createHmac("sha512", salt)
      .update(JSON.stringify([password, N, r, p]))
      .digest()
      .subarray(0, length);
    return new Promise((resolve) => this.wake(this.#settings.time.now + SCRYPT, () => resolve(key)));
  }

  processName(): ProcessName {
    const { user, host, pid } = this.identity();
    return { user, host, pid };
  }

  identity(): ProcessIdentity {
    if (!this.#identity) throw new Error(`${this.name} is on no machine.`);
    return this.#identity;
  }

  fate(of: ProcessIdentity, here: ProcessIdentity): ProcessFate {
    return this.machine.fate(of, here);
  }

  /** True where a blow falls, which puts off what it was to be woken for, or ends it. */
  #isStruck(take: () => void, putOff: (cancel: Cancel) => void): boolean {
    this.#wakings++;
    const [blow] = this.#blows;
    if (!blow || blow.at > this.#wakings) return false;
    this.#blows.shift();
    const { time } = this.#settings;
    if (blow.what === "kill") {
      this.kill("SIGKILL");
      return true;
    }
    if (blow.what === "SIGINT" || blow.what === "SIGTERM") {
      const signal = blow.what;
      this.#settings.enter(this, () => {
        if (!this.emit(signal, signal)) this.kill(signal);
      });
    } else this.#pausedUntil = time.now + blow.what.pause;
    // What it was woken for comes behind.
    this.#wakings--;
    putOff(time.at(Math.max(time.now, this.#pausedUntil), take));
    return true;
  }

  #localFiles(): LocalFiles {
    const { random, time, machine } = this.#settings;
    const { writeNow, ...files } = machine.localFiles;
    const later = <T>(act: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        this.wake(time.now + random.between(0, FILE), () => {
          try {
            resolve(act());
          } catch (error) {
            reject(error);
          }
        });
      });
    return {
      list: (folder) => later(() => files.list(folder)),
      read: (path) => later(() => files.read(path)),
      rename: (from, to) => later(() => files.rename(from, to)),
      remove: (path) => later(() => files.remove(path)),
      writeNew: (path, text) => later(() => files.writeNew(path, text)),
      writeNow,
    };
  }

  #hostProcess(): HostProcess {
    const stream = { isTTY: false, write: (text: string) => this.printed.push(text) > 0 };
    const host = {
      on: (event: string, listener: (value: unknown) => void) => this.#emitter.on(event, listener),
      off: (event: string, listener: (value: unknown) => void) => this.#emitter.off(event, listener),
      exit: () => this.kill("exit"),
      exitCode: undefined,
      stdout: stream,
      stderr: stream,
    };
    // The part of Node's own that is used has no type of its own.
    return host as unknown as HostProcess;
  }
}

/** The moment at which virtual time begins. */
const BEGINNING = Date.UTC(2030, 0, 1);
