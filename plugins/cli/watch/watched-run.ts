/** One run of the program for a session: in a process of its own, so that nothing of the last one is left in it. */
import { type ChildProcess, fork } from "node:child_process";
import { written } from "../../internal/flags/table.js";
import { say } from "../output.js";
import type { Run } from "../run-entry.js";
import { isNews, marked, type News, type Order, type SessionSignal } from "./messages.js";

/** Milliseconds that a run has to settle its handlers, record what they did, and let go of the state. */
const RUN_TIMEOUT = 30_000;
/** Milliseconds for a program in which no run is live any more. */
const PROGRAM_TIMEOUT = 5_000;

/** What the session was started by: where this file is once it is built, only the build knows. */
const MAIN = process.argv[1] ?? "";

/** How a run's process has ended. */
export interface RunEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class WatchedRun {
  readonly ended: Promise<RunEnd>;
  readonly #child: ChildProcess;
  #hasEnded = false;
  #isEnding = false;
  #killing: NodeJS.Timeout | undefined;

  /** @param hear called with what the process tells */
  constructor(run: Run, session: string, hear: (news: News) => void) {
    const { entry, argv, flags, envFile } = run;
    const options = envFile === undefined ? [] : [written("env-file", envFile)];
    this.#child = fork(MAIN, ["watched-run", entry, JSON.stringify(flags), ...options, "--", ...argv], {
      env: { ...process.env, ENGINE_SESSION: session },
      // The terminal is the program's as long as it runs.
      stdio: ["inherit", "inherit", "inherit", "ipc"],
    });
    this.#child.on("message", (message: unknown) => {
      if (!isNews(message)) return;
      if (message.type === "ending") this.#killAfter(message.what === "run" ? RUN_TIMEOUT : PROGRAM_TIMEOUT);
      else if (message.type === "asking") clearTimeout(this.#killing);
      hear(message);
    });
    this.ended = new Promise((resolve) => {
      const over = (end: RunEnd): void => {
        if (this.#hasEnded) return;
        this.#hasEnded = true;
        clearTimeout(this.#killing);
        resolve(end);
      };
      this.#child.on("exit", (code, signal) => over({ code, signal }));
      this.#child.on("error", (error) => {
        // What could not be sent to it is of no interest: then it has ended, or is killed in time.
        if (this.#child.pid !== undefined) return;
        say(`the program cannot be started: ${error.message}`);
        over({ code: 1, signal: null });
      });
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Its files have changed: it ends as after a first Ctrl-C, and is killed where that takes too long. */
  async end(): Promise<void> {
    if (!this.#isEnding) {
      this.#isEnding = true;
      this.#send({ type: "end" });
      // A program that does not give its turn away does not even hear of it.
      this.#killAfter(PROGRAM_TIMEOUT);
    }
    await this.ended;
  }

  /** @param count how many times the session has got the signal; the program is to have got as many */
  signal(signal: SessionSignal, count: number): void {
    this.#send({ type: "signal", signal, count });
  }

  kill(): void {
    if (!this.#hasEnded) this.#child.kill("SIGKILL");
  }

  #send(order: Order): void {
    if (this.#child.connected) this.#child.send(marked(order), () => {});
  }

  #killAfter(timeout: number): void {
    if (this.#hasEnded) return;
    clearTimeout(this.#killing);
    this.#killing = setTimeout(() => {
      say(`the program has not ended within ${timeout / 1000} s: it is killed`);
      this.kill();
    }, timeout);
  }
}
