import { readdir } from "node:fs/promises";

/** A promise that a test settles by hand, so that no test has to sleep. */
export interface Gate<T = void> {
  readonly opened: Promise<T>;
  open(value: T): void;
}

export function gate<T = void>(): Gate<T> {
  let open: (value: T) => void = () => {};
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open: (value) => open(value) };
}

/** Resolves after everything that needs no timer and no input; this includes a run's reading of its root folder. */
export async function quiet(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await readdir(".");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
