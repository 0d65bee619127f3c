/** The runs of this process, from their first event on, and their questions. */
import { ignore, timeOfDay, uuid, withResolvers } from "../../../core/base/index.js";
import type { AskContext, EventSource } from "../../../core/contract/index.js";
import type { Answer, Answered, Asked, RunRow, UiEvent } from "../api/index.js";
import { KeptRun, newestFirst, type RunEvents, type RunSource } from "./kept-run.js";

/** Limits; the oldest finished run is removed first. */
const MOST = { runs: 50, size: 512_000_000 };
/** The most events before an app names its run. */
const MOST_EARLY = 1000;

interface Question {
  readonly id: string;
  readonly run: KeptRun;
  answer(approved: boolean | undefined): void;
}

/** The most resources that a question names. */
const MOST_DELETES = 10_000;

/** A question to the people at a page. */
export interface PageQuestion extends Pick<AskContext, "question" | "details" | "deletes"> {
  /** Aborted when no answer is needed any more. */
  readonly signal: AbortSignal;
}

export class LiveRuns implements RunSource {
  #runs: readonly KeptRun[] = [];
  readonly #questions = new Set<Question>();

  /** Adds the runs of an app from now on. Returns a function that returns the app's present run. */
  observe(events: EventSource): () => KeptRun | undefined {
    let run: KeptRun | undefined;
    const early: UiEvent[] = [];
    events.on("*", (_type, told) => {
      const event: UiEvent = { ...told };
      if (told.type === "run:started") {
        run = new KeptRun(told.run);
        for (const one of early.splice(0)) run.add(one);
        this.add(run);
      }
      if (run) run.add(event);
      else if (early.length < MOST_EARLY) early.push(event);
    });
    return () => run;
  }

  add(run: KeptRun): void {
    const all = [...this.#runs, run];
    const tooMany = (): boolean => all.length > MOST.runs || all.reduce((sum, { size }) => sum + size, 0) > MOST.size;
    while (tooMany()) {
      const oldest = all.findIndex(({ isOver }) => isOver);
      if (oldest < 0) break;
      all.splice(oldest, 1);
    }
    this.#runs = all;
  }

  rows(): readonly RunRow[] {
    return newestFirst(this.#runs.map((run) => run.row()));
  }

  run(id: string): RunEvents | undefined {
    return this.#runs.find((run) => run.id === id);
  }

  /** Resolves with the answer; with undefined once no answer is needed, which the page is informed of. */
  async ask(run: KeptRun, { signal, ...context }: PageQuestion): Promise<boolean | undefined> {
    const { promise, resolve } = withResolvers<boolean | undefined>();
    const question: Question = { id: uuid(), run, answer: resolve };
    const end = (): void => resolve(undefined);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    this.#questions.add(question);
    const asked: Asked = { type: "ui:asked", time: timeOfDay(), question: question.id, ...askedOf(context) };
    run.add(asked);
    try {
      const approved = await promise;
      const said = approved === undefined ? {} : { approved };
      const answered: Answered = { type: "ui:answered", time: timeOfDay(), question: question.id, ...said };
      run.add(answered);
      return approved;
    } finally {
      this.#questions.delete(question);
      signal.removeEventListener("abort", end);
    }
  }

  answer(id: string, { question, approved }: Answer): boolean {
    const asked = [...this.#questions].find((one) => one.id === question && one.run.id === id);
    if (!asked) return false;
    this.#questions.delete(asked);
    asked.answer(approved);
    return true;
  }

  close: () => void = ignore;
}

/** The details name the first of the deletes, so they are left out if all are there. */
function askedOf({
  question,
  details,
  deletes,
}: Omit<PageQuestion, "signal">): Pick<Asked, "text" | "deletes" | "left"> {
  if (deletes.length === 0) return { text: [question, ...details].join("\n"), deletes: [], left: 0 };
  const shown = deletes.slice(0, MOST_DELETES).map(({ fqn, kind, reason }) => ({
    fqn,
    kind,
    action: reason === "replaced" ? ("replace" as const) : ("delete" as const),
  }));
  return { text: question, deletes: shown, left: deletes.length - shown.length };
}
