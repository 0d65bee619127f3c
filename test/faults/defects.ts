/** Stores that break their word, for the tests of the oracles. */

import { type Growing, isGrowing, type StateStore } from "../../core/contract/index.js";
import { parseLine } from "../../core/state/index.js";
import { writeLine } from "../../core/state/journal/entry.js";

export interface Defect {
  store(sound: StateStore): StateStore;
}

export type DefectName = "drops" | "early" | "late";

export const defects: Readonly<Record<DefectName, Defect>> = {
  /** The second line that it acknowledges it has not written. */
  drops: {
    store(sound) {
      let lines = 0;
      return growing(sound, (append) => (++lines === 2 ? true : append()));
    },
  },
  /** It acknowledges every line before it has written it: as an engine looks that does not wait for its intents. */
  early: {
    store: (sound) =>
      growing(sound, (append) => {
        setTimeout(() => void append(), 5);
        return true;
      }),
  },
  /** It leaves the result out that travels with the intent of "read": as an engine looks that is one result behind. */
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
