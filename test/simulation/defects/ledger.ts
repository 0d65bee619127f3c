import type { Defect } from "./defect.ts";

const area = "ledger";

export const ledger: readonly Defect[] = [
  {
    name: "one entry too many is trimmed",
    area,
    file: "core/state/checkpoint/checkpoint.ts",
    find: "(seq) => seq <= limit && !guards.has(seq)",
    replace: "(seq) => seq <= limit + 1 && !guards.has(seq)",
  },
  {
    name: "a checkpoint in mid-run lacks what was written since the last look",
    area,
    file: "core/state/session/session.ts",
    find: "const { head, contents } = this;",
    replace: "const { head, contents } = this.#at;",
  },
  {
    name: "what was being written when the session was lost is not kept",
    area,
    file: "core/state/journal/journal.ts",
    find: "return [...partsOf(this.#writing), ...this.#waiting.flatMap(partsOf), ...this.#late];",
    replace: "return [...this.#waiting.flatMap(partsOf), ...this.#late];",
  },
  {
    name: "what a run has read does not count when another one wrote",
    area,
    file: "core/state/reads.ts",
    find: "    this.#keys.add(key);\n    return contents.at(key);",
    replace: "    return contents.at(key);",
  },
  {
    name: "the last line of a segment is not counted by whoever takes over",
    area,
    file: "core/state/session/opening.ts",
    find: 'return { seq, lines: lines.length, digest: lines.at(-1)?.digest ?? "" };',
    replace: 'return { seq, lines: lines.length - 1, digest: lines.at(-2)?.digest ?? "" };',
  },
  {
    name: "a line that was not written to its end is damage",
    area,
    file: "core/state/journal/segment.ts",
    find: "if (end >= 0 || hasLostItsBreak(text.slice(from))) return undefined;\n      break;",
    replace: "return undefined;",
  },
  {
    name: "an entry that another session was first with counts as written",
    area,
    file: "core/state/journal/append.ts",
    find: "if (!(await createOwn(store, keys.entry(seq), written.text))) throw fenced(location);",
    replace: "await createOwn(store, keys.entry(seq), written.text);",
  },
  {
    name: "a line counts although another session has begun",
    area,
    file: "core/state/journal/append.ts",
    find: "if (await isOurs) return next;\n  const { seq, close } = written.entry;",
    replace: "const { seq, close } = written.entry;\n  if ((await isOurs) || !close) return next;",
  },
  {
    name: "guards are trimmed",
    area,
    file: "core/state/checkpoint/checkpoint.ts",
    find: "(seq) => seq <= limit && !guards.has(seq)",
    replace: "(seq) => seq <= limit && seq > 1",
  },
  {
    name: "one line of a segment is not counted",
    area,
    file: "core/state/session/opening.ts",
    find: 'return { seq, lines: lines.length, digest: lines.at(-1)?.digest ?? "" };',
    replace: 'return { seq, lines: lines.length - 1, digest: lines.at(-2)?.digest ?? "" };',
  },
];
