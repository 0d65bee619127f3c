import type { App } from "./app.js";
import type { RunInfo } from "./events.js";
import { failureNote } from "./failure-note.js";
import { ciRun } from "./process/ci-run.js";
import { processName } from "./process/identity.js";

/** What `engine()` does for a run, and whether the program gets to know that it is done. */
export class Start {
  /** Settles when the work is done. */
  readonly work: Promise<void>;
  /** Settles when `engine()` does. */
  readonly over: Promise<void>;
  readonly #canBeWithheld: boolean;
  #isAtWork = true;
  #withheld: Promise<void> | undefined;

  constructor(work: () => Promise<void>, canBeWithheld: boolean) {
    this.#canBeWithheld = canBeWithheld;
    this.work = work().finally(() => {
      this.#isAtWork = false;
    });
    this.over = this.work.then(() => this.#withheld);
    // Whoever declares something waits for it too; engine() hands the failure on.
    this.over.catch(() => {});
  }

  /** True while `engine()` is at work. */
  get isOpening(): boolean {
    return this.#canBeWithheld && this.#isAtWork;
  }

  /** True while the program has to wait although the work may be done. */
  get isWithheld(): boolean {
    return this.#withheld !== undefined;
  }

  /** It is not over before `until` has resolved. False: it is over already. */
  withhold(until: Promise<void>): boolean {
    if (!this.isOpening) return false;
    this.#withheld = until.then(() => {
      this.#withheld = undefined;
    });
    return true;
  }
}

/** Which run it is, and whose. */
export function runInfo({ generation, options, root }: App): RunInfo {
  const ci = ciRun(options.env ?? process.env);
  const by = { ...processName(), ...(ci === undefined ? {} : { ci }) };
  const { appName: app, stage } = root;
  return { run: generation.id, app, stage, phase: options.phase, planned: options.plan, by };
}

/** To observers. */
export function tellStarted(app: App): void {
  const { events, root } = app;
  events.emit("run:started", runInfo(app));
  events.emit("scope:created", { fqn: root.chain.join("/") });
}

/** In place of how it went, where it is run again. */
export function tellRepeated(app: App): void {
  app.events.emit("run:repeated", runInfo(app));
}

/** For observers who are not there to catch what `engine()` rejects with. A run that was reported has told by itself. */
export function tellFailedStart(app: App, error: unknown): void {
  if (app.generation.isReported) return;
  if (app.isToRepeat) return tellRepeated(app);
  app.events.emit("run:failed", { ...runInfo(app), ...failureNote(error) });
}
