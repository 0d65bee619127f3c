import type { WorldTexts } from "../../faults/world-texts.js";

const THINGS = "things/";

/** The texts of a world in memory. */
export function textsInMemory(): WorldTexts {
  const texts = new Map<string, string>();
  return {
    things: () => [...texts.keys()].flatMap((path) => (path.startsWith(THINGS) ? [path.slice(THINGS.length)] : [])),
    read: (path) => texts.get(path),
    append: (path, text) => void texts.set(path, (texts.get(path) ?? "") + text),
    put: (path, text) => void texts.set(path, text),
    remove: (path) => void texts.delete(path),
  };
}
