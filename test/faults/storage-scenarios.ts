/** Programs that meet a failing disk. */
import type { FsStoreOptions } from "../../adapters/fs/index.js";

type Things = Readonly<Record<string, number>>;

export interface StorageScenario {
  readonly options: FsStoreOptions;
  /** Acknowledges every line, whatever the disk reports: a fault that must be found. */
  readonly swallows?: boolean;
  /** Declarations of earlier runs, on a disk that works. */
  readonly before: readonly Things[];
  /** Declarations of the run whose disk fails, and of the runs after it. */
  readonly things: Things;
}

export interface StorageResult {
  /** The number of the call that was to fail, from 1. */
  readonly failAt: number;
  /** The call that failed, e.g. `link /app/dev/journal/000000000001.json`; absent if there were fewer calls. */
  readonly failed?: string;
  /** Errors and warnings of the run. */
  readonly told: readonly string[];
  /** Violations. */
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
