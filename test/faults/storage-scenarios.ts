/** Which programs meet a disk that fails. */
import type { FsStoreOptions } from "../../adapters/fs/index.js";

type Things = Readonly<Record<string, number>>;

export interface StorageScenario {
  readonly options: FsStoreOptions;
  /** Says of every line that it is there, whatever the disk says: a fault that must be found. */
  readonly swallows?: boolean;
  /** What earlier runs declared, on a disk that works. */
  readonly before: readonly Things[];
  /** What the run declares whose disk fails, and the runs after it. */
  readonly things: Things;
}

export interface StorageResult {
  /** The number of the call that was to fail, from 1. */
  readonly failAt: number;
  /** The call that failed, e.g. `link /app/dev/journal/000000000001.json`; absent where there were not as many. */
  readonly failed?: string;
  /** Errors and warnings of the run. */
  readonly told: readonly string[];
  /** What must not be. */
  readonly wrong: readonly string[];
}

const later = {
  before: [
    { a: 1, b: 1, c: 1 },
    { a: 2, b: 1, c: 1 },
  ],
  things: { a: 3, b: 1, d: 1 },
};
const first = { before: [], things: { a: 1, b: 1 } };

export const SCENARIOS: Readonly<Record<string, StorageScenario>> = {
  first: { options: {}, ...first },
  later: { options: {}, ...later },
  firstFull: { options: { durability: "full" }, ...first },
  laterFull: { options: { durability: "full" }, ...later },
  firstEntries: { options: { append: false }, ...first },
  laterEntries: { options: { append: false }, ...later },
};

export const SWALLOWING: StorageScenario = { options: {}, swallows: true, ...later };
