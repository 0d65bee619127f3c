// The declarations of both sides, shared so that they do the same work.

/** Resources of one parent, or of one child scope. */
const GROUP = 10;

/** The arguments that both sides take. */
export const ENTRY_OPTIONS = {
  n: { type: "string", default: "1000" },
  // seq: one after the other; par: all at once; children: declared in handlers; scopes: in child scopes.
  how: { type: "string", default: "seq" },
  phase: { type: "string", default: "up" },
  // Another revision changes the props of every resource.
  rev: { type: "string", default: "0" },
  // Handlers answer a change with a replacement.
  replace: { type: "boolean", default: false },
  secrets: { type: "boolean", default: false },
  // Only ours: opens the stage instead of a password.
  key: { type: "string" },
  store: { type: "string", default: "fs" },
  // The revisions that a store in memory applies before the measurement, e.g. "0".
  before: { type: "string" },
  url: { type: "string" },
  bucket: { type: "string" },
  prefix: { type: "string" },
};

/** Number of handler calls in this process, by phase: proof that a side did the work. */
export const calls = { create: 0, update: 0, delete: 0 };

export async function program({ n, how, rev, Noop, Parent, propsOf, scope }) {
  const declare = (i) => Noop(`r${i}`, propsOf(i, rev));
  const all = Array.from({ length: n }, (_, i) => i);
  const firsts = all.filter((i) => i % GROUP === 0);
  const sizeOf = (first) => Math.min(GROUP, n - first);
  if (how === "par") await Promise.all(all.map(declare));
  else if (how === "children") {
    for (const first of firsts) await Parent(`p${first}`, { first, children: sizeOf(first) - 1, rev });
  } else if (how === "scopes") {
    for (const first of firsts) {
      await scope(`s${first}`, async () => {
        for (let i = first; i < first + sizeOf(first); i++) await declare(i);
      });
    }
  } else for (const i of all) await declare(i);
}
