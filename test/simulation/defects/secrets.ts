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
    file: "core/apply/queue.ts",
    find: "const encoded = movedProps(operation, operation.uid, uid, operation.encoded);",
    replace: "const encoded = movedProps(operation, operation.uid, operation.uid, operation.encoded);",
  },
  {
    name: "a seal is made for another line than the one that it stands in",
    area,
    file: "core/state/journal/append.ts",
    find: "const line = lineNumber(head, entry.seq);",
    replace: "const line = head.lines + 1;",
  },
  {
    name: "the lines behind the one that brings the key have no seal",
    area,
    file: "core/state/journal/tail.ts",
    find: "return { head, base, baseSize, baseCount, tailSize: tailSize + text.length, count, seal };",
    replace: "return { head, base, baseSize, baseCount, tailSize: tailSize + text.length, count, seal: at.seal };",
  },
  {
    name: "a checkpoint in mid-run has no seal",
    area,
    file: "core/state/session/session.ts",
    find: "const text = writeCheckpoint(head, contents, { version: this.#settings.version, seal: this.seal });",
    replace: "const text = writeCheckpoint(head, contents, { version: this.#settings.version });",
  },
  {
    name: "the key of a sealed stage is forgotten with all else when it is destroyed",
    area,
    file: "core/destroy/destroy.ts",
    find: "if (owner !== keyRecord?.owner) return",
    replace: "if (owner !== keyRecord?.key) return",
  },
];
