/** Runs the program once for a session, in its own process, so that no data of the last run remains. */
import { type ChildProcess, fork } from "node:child_process";
import { written } from "../../internal/flags/table.js";
import { say } from "../output.js";
import type { Run } from "../run-entry.js";
import { isNews, marked, type News, type Order, type SessionSignal } from "./messages.js";

/** Milliseconds that a run has to settle its handlers, record their results, and release the state. */
const RUN_TIMEOUT = 30_000;
/** Milliseconds for a program without a live run. */
const PROGRAM_TIMEOUT = 5_000;

/** Path of this command's script. It cannot be derived from the path of this file, which depends on the build. */
const MAIN = process.argv[1] ?? "";

/** End of a run's process. */
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

  /** @param hear called with each message of the process */
  constructor(run: Run, session: string, hear: (news: News) => void) {
    const { entry, argv, flags, envFile } = run;
    const options = envFile === undefined ? [] : [written("env-file", envFile)];
    this.#child = fork(MAIN, ["watched-run", entry, JSON.stringify(flags), ...options, "--", ...argv], {
      env: { ...process.env, ENGINE_SESSION: session },
      // The program uses the terminal while it runs.
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
        // A message could not be sent, which means that the process has ended, or the timeout kills it.
        if (this.#child.pid !== undefined) return;
        say(`the program could not be started: ${error.message}`);
        over({ code: 1, signal: null });
      });
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Ends the run after a change of files, as a first Ctrl-C does. It is killed if that takes too long. */
  async end(): Promise<void> {
    if (!this.#isEnding) {
      this.#isEnding = true;
      this.#send({ type: "end" });
      // A program that blocks its thread does not receive the message.
      this.#killAfter(PROGRAM_TIMEOUT);
    }
    await this.ended;
  }

  /** @param count number of times that the session got the signal; the program should get as many */
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
      say(`the program did not end within ${timeout / 1000} s and is killed`);
      this.kill();
    }, timeout);
  }
}
