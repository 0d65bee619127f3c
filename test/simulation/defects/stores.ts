import type { Defect } from "./defect.ts";

const area = "stores";

export const stores: readonly Defect[] = [
  {
    name: "a key that is there counts as our own",
    area,
    file: "core/state/journal/append.ts",
    find: "(await store.get(key)) === text",
    replace: "(await store.get(key)) !== undefined",
  },
  {
    name: "a write that failed counts as done",
    area,
    file: "core/state/journal/journal.ts",
    find: "writing.then(done, (error: unknown) => this.#fail(error));",
    replace: "writing.then(done, done);",
  },
];
