/** What a list of runs shows of one, by the few events that tell it. */
import type { RunRow, UiEvent } from "../api/index.js";
import { emptyView, reduce, runRowOf } from "../model/index.js";

/** Holds no resource, however many events it is given. */
export class RunSummaryFold {
  readonly #view = emptyView();
  #last: UiEvent | undefined;

  add(event: UiEvent): void {
    if (event.type.startsWith("run:")) reduce(this.#view, event);
    else this.#last = event;
  }

  get id(): string | undefined {
    return this.#view.head?.run;
  }

  get isRunning(): boolean {
    return this.#view.state === "running";
  }

  /** @param isCutOff nothing more will come, though its end was not told */
  row(isCutOff: boolean): RunRow | undefined {
    const row = runRowOf(this.#view);
    if (row?.state !== "running" || !isCutOff) return row;
    const duration = Date.parse(this.#last?.time ?? row.since) - Date.parse(row.since);
    return { ...row, state: "cut off", ...(duration >= 0 ? { duration } : {}) };
  }
}
