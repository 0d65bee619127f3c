/** Runs, as the page asks for them. */
import type { Answer, RunRow } from "../api/index.js";

/** The events of a run, of which more may come. */
export interface RunEvents {
  readonly id: string;
  /** So many there are by now. What has a number keeps it. */
  readonly count: number;
  /** No more will come. */
  readonly isOver: boolean;
  /** Undefined where no event has said yet which run it is. */
  row(): RunRow | undefined;
  /** Events as JSON, from one on: as many as can be had at once, and one at least where there is one. */
  read(from: number): Promise<readonly string[]>;
  /** Calls the listener whenever there are more, or no more to come, until what it gives is called. */
  onChange(listener: () => void): () => void;
}

export interface RunSource {
  /** The newest first. */
  rows(): readonly RunRow[];
  run(id: string): RunEvents | undefined;
  /** False where that is not asked, or not any more. */
  answer(id: string, answer: Answer): boolean;
  close(): void;
}

export function newestFirst(rows: readonly (RunRow | undefined)[]): readonly RunRow[] {
  const known = rows.filter((row) => row !== undefined);
  return known.sort((one, other) => (one.since < other.since ? 1 : one.since > other.since ? -1 : 0));
}

/** Several sources as one; what is asked for by its id is in the first that has it. */
export function allRuns(sources: readonly RunSource[]): RunSource {
  return {
    rows: () => newestFirst(sources.flatMap((source) => source.rows())),
    run: (id) => sources.map((source) => source.run(id)).find((run) => run !== undefined),
    answer: (id, answer) => sources.some((source) => source.answer(id, answer)),
    close: () => {
      for (const source of sources) source.close();
    },
  };
}
