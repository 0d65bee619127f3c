/** Checks an imported project before anything is made from it. */
import type { Imported, ImportedResource, Refusal } from "./contract.js";
import { refused } from "./failure.js";
import { withoutKeys } from "./without-keys.js";

const WHY = {
  tainted: {
    reason: "its create failed half-way (tainted)",
    advice: "Apply the old configuration once, or untaint it if it is complete.",
  },
  deposed: {
    reason: "it is an old copy that a replacement left behind",
    advice: "Apply the old configuration once, which deletes it.",
  },
} as const;

/**
 * Returns all refusals: those of the reader, and resources that are not whole.
 *
 * @throws EngineError `IMPORT_REFUSED` for a source that contradicts itself
 */
export function checkImported({ source, resources, dataSources, refusals }: Imported): readonly Refusal[] {
  const all = [...resources, ...dataSources];
  const seen = new Set<string>();
  for (const { address } of all) {
    if (seen.has(address)) throw refused(source.place, `is damaged: it has "${address}" twice.`);
    seen.add(address);
  }
  const cycle = cycleIn(all);
  if (cycle) throw refused(source.place, `is damaged: its dependencies form a cycle (${cycle.join(" → ")}).`);
  const partial = all.flatMap(({ address, status }) => (status === "ready" ? [] : [{ address, ...WHY[status] }]));
  return [...refusals, ...partial];
}

/** Returns addresses that lead back to the first one. It needs no stack, because chains may be long. */
function cycleIn(all: readonly ImportedResource[]): readonly string[] | undefined {
  const next = new Map<string, Set<string>>();
  for (const { address, dependencies } of all) {
    const own = withoutKeys(address);
    const known = next.get(own) ?? new Set<string>();
    for (const one of dependencies) known.add(withoutKeys(one));
    next.set(own, known);
  }
  const done = new Set<string>();
  for (const start of next.keys()) {
    const path: { readonly at: string; readonly rest: Iterator<string> }[] = [];
    const onPath = new Set<string>();
    const enter = (at: string): void => {
      path.push({ at, rest: (next.get(at) ?? new Set<string>()).values() });
      onPath.add(at);
    };
    if (!done.has(start)) enter(start);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const to = top.rest.next();
      if (to.done) {
        done.add(top.at);
        onPath.delete(top.at);
        path.pop();
      } else if (onPath.has(to.value)) {
        const names = path.map(({ at }) => at);
        return [...names.slice(names.indexOf(to.value)), to.value].slice(-20);
      } else if (!done.has(to.value)) enter(to.value);
    }
  }
  return undefined;
}
