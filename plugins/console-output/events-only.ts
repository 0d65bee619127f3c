/** NDJSON on standard output, and nothing else there: what the program prints meanwhile goes to standard error. */
import { processWide } from "../../core/base/index.js";
import { writeLine } from "../internal/standard-streams.js";
import { replaceWrite } from "../internal/watched-write.js";

interface Diversion {
  /** Runs that ask for it. */
  holders: number;
  /** What is written right now is an event. */
  isEvent: boolean;
  restore(): void;
}

const diversion = processWide<Diversion>("stdout-diversion@1", () => {
  return { holders: 0, isEvent: false, restore: () => {} };
});

export function printEvent(line: string): void {
  diversion.isEvent = true;
  try {
    writeLine("stdout", line);
  } finally {
    diversion.isEvent = false;
  }
}

/** Until the function that it gives is called, by all who have asked for it. */
export function divertOutput(): () => void {
  if (diversion.holders++ === 0) {
    diversion.restore = replaceWrite(process.stdout, (original, args) =>
      diversion.isEvent ? original(...args) : Reflect.apply(process.stderr.write, process.stderr, args),
    );
  }
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    if (--diversion.holders === 0) diversion.restore();
  };
}
