/** A journal whose appends end when a test says so, while time stands still. */
import { vi } from "vitest";
import { Journal } from "../../../core/state/journal/journal.js";
import { putting } from "../stores/ledgers.js";
import { type Gate, gate } from "./gate.js";

/** Called before each test; `vi.useRealTimers()` after it. */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "hrtime"] });
}

interface Append {
  readonly keys: string[];
  readonly done: Gate;
  readonly failed: Gate<Error>;
}

export function journal(isSlow: boolean) {
  const appends: Append[] = [];
  const made = new Journal(
    async (changes) => {
      const keys = changes.flatMap((change) => (change.op === "put" ? [change.record.key] : []));
      const append = { keys, done: gate(), failed: gate<Error>() };
      appends.push(append);
      const error = await Promise.race([append.done.opened, append.failed.opened]);
      if (error) throw error;
    },
    { isSlow },
  );
  return { appends, add: (key: string, urgency: "now" | "soon") => made.add([putting(key)], urgency), journal: made };
}

export type TestJournal = ReturnType<typeof journal>;

export function written({ appends }: TestJournal): string[] {
  return appends.map(({ keys }) => keys.join(" "));
}

/** Lets so much time pass, and everything happen that is due by then. */
export function pass(milliseconds: number): Promise<unknown> {
  return vi.advanceTimersByTimeAsync(milliseconds);
}

/** Lets the last append end after so long. */
export async function finish({ appends }: TestJournal, milliseconds: number): Promise<void> {
  await pass(milliseconds);
  appends.at(-1)?.done.open();
  await pass(0);
}
