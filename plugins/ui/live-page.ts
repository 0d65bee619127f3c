/** A page of the runs of this process, which never delays a run. */
import { sleep } from "../../core/base/index.js";
import type { AskContext, EngineHooks, EventSource, ResolvedOptions } from "../../core/contract/index.js";
import { askedAtTerminal, canAskAt, standardTerminal, type Terminal } from "../internal/terminal/questions.js";
import { tell } from "../internal/terminal/tell.js";
import { builtPage, startServer, type UiServer } from "./server/index.js";
import { type KeptRun, LiveRuns } from "./sources/index.js";

/** Milliseconds between two checks that a page is open, and the longest time without one: it may be reloading. */
const LOOK = 250;
const AWAY = 3000;

export interface LivePageOptions {
  readonly port?: number | undefined;
  readonly allowChanges?: boolean | undefined;
  /**
   * True to wait, without a terminal, until a page answers a question. In CI nobody can open the page, so no run waits
   * there. Default: false, so that a question without an open page has no answer.
   */
  readonly awaitsAnswers?: boolean | undefined;
  /** Default: the page of the package. */
  readonly html?: string | undefined;
  /** Default: the terminal of this process. */
  readonly terminal?: Terminal | undefined;
}

/** The parts of an app that its plugins can access. */
export interface Observed {
  readonly hooks: Pick<EngineHooks, "ask">;
  readonly events: EventSource;
  /** Returns undefined until the options are known. */
  options(): ResolvedOptions | undefined;
  redact(text: string): string;
}

export class LivePage {
  readonly #options: LivePageOptions;
  readonly #runs = new LiveRuns();
  #redact = (text: string): string => text;
  #server: Promise<UiServer> | undefined;
  #started: UiServer | undefined;
  #newest: (() => KeptRun | undefined) | undefined;

  constructor(options: LivePageOptions) {
    this.#options = options;
  }

  /**
   * Shows the runs of the app in the page from now on, and their questions. The page can answer them if changes are
   * allowed.
   */
  observe({ hooks, events, options, redact }: Observed): void {
    const current = this.#runs.observe(events);
    this.#newest = current;
    this.#redact = redact;
    hooks.ask.tapPromise("ui", async (context) => {
      const [run, resolved] = [current(), options()];
      return run && resolved ? this.#ask(run, resolved, context) : undefined;
    });
  }

  /** Starts the server with the first call. @throws EngineError `INVALID_OPTION` if the port is in use */
  server(): Promise<UiServer> {
    this.#server ??= this.#start();
    return this.#server;
  }

  /** True while a run has not reported its end. */
  get isBusy(): boolean {
    return this.#runs.rows().some(({ state }) => state === "running");
  }

  /** Waits until pages have received all events, but not for long. */
  async drain(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    while ((this.#started?.watching ?? 0) > 0 && performance.now() < end) await sleep(10);
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.#started = undefined;
    await (await server?.catch(() => undefined))?.close();
  }

  async #start(): Promise<UiServer> {
    const { html, ...options } = this.#options;
    const source = {
      label: "this process",
      runs: this.#runs,
      run: () => this.#newest?.()?.id,
      redact: (text: string) => this.#redact(text),
    };
    this.#started = await startServer(source, { ...options, html: html ?? (await builtPage()) });
    this.#started.release();
    return this.#started;
  }

  /**
   * Returns the first answer, from the page or the terminal. Undefined if neither is there, or all pages were closed
   * and it does not wait for one.
   */
  async #ask(run: KeptRun, options: ResolvedOptions, context: AskContext): Promise<boolean | undefined> {
    const { terminal = standardTerminal, allowChanges = false, awaitsAnswers = false } = this.#options;
    const { env = process.env } = options;
    const isAtTerminal = canAskAt(terminal, options);
    const isAwaited = awaitsAnswers && !env.CI;
    const canAnswer = allowChanges && (isAwaited || (this.#started?.watching ?? 0) > 0);
    if (!isAtTerminal && !canAnswer) return undefined;
    const stop = new AbortController();
    const signal = AbortSignal.any([context.scope.signal, stop.signal]);
    const inPage = this.#runs.ask(run, { ...context, signal });
    const other = isAtTerminal
      ? askedAtTerminal(terminal, context, signal)
      : isAwaited
        ? this.#awaitAnswer(run, signal)
        : this.#pagesGone(signal);
    try {
      const { by, answer } = await Promise.race([
        inPage.then((approved) => ({ by: "page", answer: approved })),
        other.then((approved) => ({ by: "other", answer: approved })),
      ]);
      // The question at the terminal has no line break yet.
      if (isAtTerminal && by === "page" && answer !== undefined) {
        terminal.show(`\nanswered in the page: ${answer ? "yes" : "no"}`);
      }
      return answer;
    } finally {
      stop.abort();
      await Promise.allSettled([inPage, other]);
    }
  }

  /** Keeps the process alive until the signal is aborted. */
  async #awaitAnswer(run: KeptRun, signal: AbortSignal): Promise<undefined> {
    const page = this.#started?.url(`/runs/${encodeURIComponent(run.id)}`);
    if (this.#started?.watching === 0) tell(`a question waits for an answer on the page: ${page}`);
    while (!signal.aborted) await sleep(LOOK, signal);
    return undefined;
  }

  async #pagesGone(signal: AbortSignal): Promise<undefined> {
    for (let away = 0; away < AWAY && !signal.aborted; ) {
      await sleep(LOOK, signal);
      away = this.#started?.watching ? 0 : away + LOOK;
    }
    return undefined;
  }
}
