import type { Defect } from "./defect.ts";

const area = "stores";

export const stores: readonly Defect[] = [
  {
    name: "a key that is there counts as our own",
    area,
    file: "core/state/append.ts",
    find: "(await store.get(key)) === text",
    replace: "(await store.get(key)) !== undefined",
  },
];
