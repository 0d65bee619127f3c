import type { Defect } from "./defect.ts";

const area = "secrets";

export const secrets: readonly Defect[] = [
  {
    name: "after one secret, all others count as being inside of it",
    area,
    file: "plugins/secrets/codec.ts",
    find: "this.#isInside = before;",
    replace: "this.#isInside ||= before;",
  },
  {
    name: "a secret is encrypted anew in every run",
    area,
    file: "plugins/secrets/codec.ts",
    find: "if (before && isSame(before, content)) return encoded;",
    replace: "if (before === content) return encoded;",
  },
  {
    name: "a secret in props is recorded in clear",
    area,
    file: "plugins/secrets/codec.ts",
    find: "if (this.#isInside) return tagged",
    replace: 'if (this.#isInside || context.slot === "props") return tagged',
  },
  {
    name: "the secrets of a replacement are bound to the old copy",
    area,
    file: "core/lifecycle/new-record.ts",
    find: "const encoded = movedProps(task, task.uid, uid, task.encoded);",
    replace: "const encoded = movedProps(task, task.uid, task.uid, task.encoded);",
  },
];
