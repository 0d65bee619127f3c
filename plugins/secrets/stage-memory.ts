/** What this machine remembers of a sealed stage: how far its journal had come, which no key can tell. */
import { join } from "node:path";
import { machineFolder, platform } from "../../core/base/index.js";
import type { Encoded, SeenPosition, SeenState, StateStore } from "../../core/contract/index.js";
import { sha256 } from "./cipher.js";

/** As it stands in the file. */
export interface Remembered extends SeenPosition {
  /** How the key is derived: with it that can begin before the state is read. */
  readonly kdf?: Encoded;
}

export interface RememberedStage {
  readonly store: Pick<StateStore, "name" | "location">;
  readonly app: string;
  readonly stage: string;
}

export class StageMemory {
  readonly #path: string;
  readonly #stage: RememberedStage;
  #last: Remembered | undefined;

  private constructor(path: string, stage: RememberedStage) {
    this.#path = path;
    this.#stage = stage;
    this.#last = read(path);
  }

  /** Undefined for a store that is in no place, such as one in memory, and where the user has no folder. */
  static of(stage: RememberedStage, env = process.env): StageMemory | undefined {
    const folder = machineFolder(env);
    const { location, name } = stage.store;
    if (folder === undefined || location === undefined) return undefined;
    const digest = sha256(Buffer.from(JSON.stringify([name, location, stage.app, stage.stage])));
    return new StageMemory(join(folder, "stages", `${digest.toString("hex").slice(0, 40)}.json`), stage);
  }

  get last(): Remembered | undefined {
    return this.#last;
  }

  /** What was there is not there any more. */
  forget(): void {
    this.#last = undefined;
    platform()
      .files.remove(this.#path)
      // It is forgotten by this process alone.
      .catch(() => {});
  }

  /** Whole or not at all. Where it cannot be kept, e.g. in a home that is read-only, nothing is remembered. */
  keep(seen: Remembered): void {
    if (JSON.stringify(seen) === JSON.stringify(this.#last)) return;
    this.#last = seen;
    const { store, app, stage } = this.#stage;
    const text = JSON.stringify({ format: 1, app, stage, store: store.location, ...seen }, null, 1);
    try {
      platform().files.writeNow(this.#path, `${text}\n`);
    } catch {
      // It is remembered by this process alone.
    }
  }
}

function read(path: string): Remembered | undefined {
  try {
    const { format, lineage, seq, lines, digest, isSealed, kdf } = JSON.parse(platform().files.readNow(path));
    const isSound = typeof lineage === "string" && Number.isInteger(seq) && Number.isInteger(lines);
    if (format !== 1 || !isSound || typeof digest !== "string" || typeof isSealed !== "boolean") return undefined;
    return { lineage, seq, lines, digest, isSealed, ...(kdf === undefined ? {} : { kdf }) };
  } catch {
    return undefined; // None yet, or none that anybody could use.
  }
}

/** What a later state is compared with: lines that a power loss may take are none that somebody has to answer for. Pure. */
export function lastingPart(position: SeenPosition, { isLasting }: Pick<SeenState, "isLasting">): SeenPosition {
  return isLasting ? position : { ...position, lines: 0 };
}

/** How a state is older than it was, or another one; undefined where it is not. Pure. */
export function howItWentBack(last: SeenPosition, now: SeenPosition | undefined, isEmpty = false): string | undefined {
  if (!now) return "nothing is there any more";
  if (now.lineage !== last.lineage) return "another one is in its place, which began anew";
  if (last.isSealed && !now.isSealed && isEmpty)
    return "all that was recorded is gone, and nobody with its key says so";
  if (now.seq < last.seq) return `it is as of entry ${now.seq} again, and was at ${last.seq}`;
  if (now.seq > last.seq) return undefined;
  if (now.lines < last.lines)
    return `of its entry ${now.seq} ${now.lines} lines are there, and there were ${last.lines}`;
  if (now.lines === last.lines && now.digest !== last.digest) return `its entry ${now.seq} is another one than it was`;
  return undefined;
}
