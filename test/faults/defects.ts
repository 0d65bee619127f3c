/** Stores that break their word, for the tests of the oracles. */

import { type Growing, isGrowing, type StateStore } from "../../core/contract/index.js";
import { parseLine } from "../../core/state/index.js";
import { writeLine } from "../../core/state/journal/entry.js";

export interface Defect {
  store(sound: StateStore): StateStore;
}

export type DefectName = "drops" | "early" | "late";

export const defects: Readonly<Record<DefectName, Defect>> = {
  /** It acknowledges the second line without writing it. */
  drops: {
    store(sound) {
      let lines = 0;
      return growing(sound, (append) => (++lines === 2 ? true : append()));
    },
  },
  /**
   * It acknowledges every line before it has written it: an engine that does not wait for its intents looks the same.
   */
  early: {
    store: (sound) =>
      growing(sound, (append) => {
        setTimeout(() => void append(), 5);
        return true;
      }),
  },
  /** It omits the result that travels with the intent of "read": an engine that is one result behind looks the same. */
  late: {
    store: (sound) => growing(sound, (append, chunk) => append(withoutResults(chunk))),
  },
};

function withoutResults(line: string): string {
  const entry = parseLine(line.trimEnd())?.entry;
  if (!entry?.ops?.some((change) => change.op === "put" && change.record.key === "read")) return line;
  return writeLine({ ...entry, ops: entry.ops.filter(({ op }) => op !== "patch") }).text;
}

function growing(sound: StateStore, act: (append: (chunk?: string) => Answer, chunk: string) => Answer): StateStore {
  if (!isGrowing(sound)) return sound;
  const append: Growing["append"] = (key, chunk, fence, options) =>
    act((other = chunk) => sound.append(key, other, fence, options), chunk);
  return Object.assign({ ...sound }, { append });
}

type Answer = ReturnType<Growing["append"]>;
