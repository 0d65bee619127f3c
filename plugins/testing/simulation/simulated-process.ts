/** A process of the simulation: its code lives in virtual time, and can be stopped or killed at each wait. */
import { EventEmitter } from "node:events";
import type {
  Bytes,
  Cancel,
  HostProcess,
  LocalFiles,
  Platform,
  ProcessFate,
  ProcessIdentity,
  ProcessName,
  ScryptCost,
} from "../../../core/base/index.js";
import type { Machine } from "./machine.js";
import { derivedKey, hostProcess, localFiles } from "./process-surroundings.js";
import type { Random } from "./random.js";
import type { VirtualTime } from "./virtual-time.js";

export class SimulatedProcess implements Platform {
  readonly name: string;
  readonly belongings = new Map<string, unknown>();
  readonly files: LocalFiles;
  readonly process: HostProcess;
  /** Printed lines. */
  readonly printed: string[] = [];
  /** True once none of its code can run any more. */
  isGone = false;
  /** The cause of its end; undefined if it ended naturally, or runs. */
  endedBy: string | undefined;
  /** Milliseconds: the end of its last pause; 0 if it had none. */
  pausedUntil = 0;
  /** Milliseconds: when it received its first signal. */
  signalledAt = Number.POSITIVE_INFINITY;
  readonly #settings: ProcessSettings;
  readonly #emitter = new EventEmitter();
  readonly #blows: Blow[];
  readonly #identity: ProcessIdentity;
  /** Number of its wakings. */
  #wakings = 0;
  /** Timers and answers that keep it alive. */
  #awaited = 0;
  /** Repeating timers that were not cancelled. */
  #beats = 0;
  readonly #ended: (() => void)[] = [];

  constructor(settings: ProcessSettings) {
    this.#settings = settings;
    this.name = settings.name;
    this.#blows = [...settings.blows].sort((one, other) => one.at - other.at);
    this.#identity = settings.machine.admit(() => {
      if (this.isGone) return "gone";
      return this.isPaused ? "stopped" : "runs";
    });
    this.files = localFiles(settings.machine, (act) => this.#answer(act));
    this.process = hostProcess(this.#emitter, this.printed, () => this.kill("exit"));
  }

  get machine(): Machine {
    return this.#settings.machine;
  }

  /** Returns random numbers for one purpose. */
  chance(purpose: string): Random {
    return this.#settings.random.fork(purpose);
  }

  get isPaused(): boolean {
    return this.#settings.time.now < this.pausedUntil;
  }

  /** Repeating timers that were not cancelled. */
  get beats(): number {
    return this.#beats;
  }

  /** True while it may still continue by itself. */
  get isWaiting(): boolean {
    return !this.isGone && this.#awaited > 0;
  }

  /** Calls `listener` once the process is gone. */
  onEnd(listener: () => void): void {
    this.#ended.push(listener);
  }

  /** Runs code of the process at a later moment; never if it is gone by then. */
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
        cancel = time.at(this.pausedUntil, take);
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

  /** Keeps the process alive until the returned function is called. */
  hold(): () => void {
    let isOver = false;
    this.#awaited++;
    return () => {
      if (!isOver) this.#awaited--;
      isOver = true;
    };
  }

  /** Ends the process at once: pending answers do not reach it any more. */
  kill(how: string): void {
    if (this.isGone) return;
    this.endedBy = how;
    this.end();
  }

  /** Ends the process naturally. */
  end(): void {
    this.isGone = true;
    for (const listener of this.#ended.splice(0)) listener();
  }

  /** Calls its listeners. Returns false if there are none. */
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

  randomBytes(size: number): Bytes {
    return this.#settings.random.bytes(size);
  }

  scrypt(password: string, salt: Bytes, length: number, cost: ScryptCost): Promise<Bytes> {
    const key = derivedKey(password, salt, length, cost);
    return new Promise((resolve) => this.wake(this.#settings.time.now + SCRYPT, () => resolve(key)));
  }

  scryptNow(password: string, salt: Bytes, length: number, cost: ScryptCost): Bytes {
    return derivedKey(password, salt, length, cost);
  }

  processName(): ProcessName {
    const { user, host, pid } = this.identity();
    return { user, host, pid };
  }

  identity(): ProcessIdentity {
    return this.#identity;
  }

  fate(of: ProcessIdentity, here: ProcessIdentity): ProcessFate {
    return this.machine.fate(of, here);
  }

  /** Work of the machine takes a moment. */
  #answer<T>(act: () => T): Promise<T> {
    const until = this.#settings.time.now + this.#settings.random.between(0, FILE);
    return new Promise((resolve, reject) => {
      this.wake(until, () => {
        try {
          resolve(act());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** Returns true if a blow falls; it postpones the waking, or ends the process. */
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
      this.signalledAt = Math.min(this.signalledAt, time.now);
      this.#settings.enter(this, () => {
        if (!this.emit(signal, signal)) this.kill(signal);
      });
    } else this.pausedUntil = time.now + blow.what.pause;
    // The postponed waking comes next.
    this.#wakings--;
    putOff(time.at(Math.max(time.now, this.pausedUntil), take));
    return true;
  }
}

/** A fault at a waking of a process. */
export interface Blow {
  /** Number of the waking, from 1; the fault prevents or postpones it. */
  readonly at: number;
  readonly what: "kill" | "SIGINT" | "SIGTERM" | { readonly pause: number };
}

interface ProcessSettings {
  readonly name: string;
  readonly machine: Machine;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly blows: readonly Blow[];
  /** Runs a piece of the process's code, and all microtasks that follow. */
  enter(process: SimulatedProcess, code: () => void): void;
}

/** Longest time of a file operation, in milliseconds. */
const FILE = 0.5;

/** Time of deriving a key, in milliseconds. */
const SCRYPT = 300;

/** The moment at which virtual time begins. */
const BEGINNING = Date.UTC(2030, 0, 1);
