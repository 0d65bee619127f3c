/** Measures rows: sides in turns, each run a process of its own in a folder of its own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OtherWork } from "./calls.js";
import { TookTooLong } from "./child.js";
import type { Measured, Outcome, SideName } from "./measured.js";
import type { Row } from "./rows.js";
import type { Place, Side } from "./side.js";
import { leavesAsItWas } from "./stage.js";
import { medians } from "./statistics.js";
import { NoServer, type Stores } from "./stores.js";

export interface Bench {
  readonly runs: number;
  /** The sides that take part, or the reason why one cannot. */
  readonly sides: ReadonlyMap<SideName, Side | { readonly notRun: string }>;
  readonly stores: Stores;
}

export type Outcomes = Partial<Record<SideName, Outcome>>;

/** One side of a row while it is measured. */
interface Contender {
  readonly name: SideName;
  readonly side: Side;
  readonly runs: Measured[];
  /** A folder and a state that several runs share. */
  kept?: Place;
  notRun?: string;
}

export async function measureRow(row: Row, { runs, sides, stores }: Bench): Promise<Outcomes> {
  const contenders: Contender[] = [];
  const outcomes: Outcomes = {};
  const builds = (["ours", "earlier"] as const).map((name) => ({ name, notRun: undefined }));
  for (const { name, notRun } of [...builds, ...row.peers]) {
    const side = sides.get(name);
    if (side === undefined) continue;
    if (notRun !== undefined) outcomes[name] = { notRun };
    else if ("notRun" in side) outcomes[name] = side;
    else contenders.push({ name, side, runs: [] });
  }
  try {
    for (let run = 0; run < Math.min(runs, row.most ?? runs); run++) {
      for (const one of contenders) if (one.notRun === undefined) await runOnce(row, one, stores);
    }
  } finally {
    for (const { kept } of contenders) if (kept) await rm(kept.folder, { recursive: true, force: true });
  }
  for (const { name, notRun, runs: measured } of contenders) {
    outcomes[name] = notRun === undefined ? { median: medians(measured), runs: measured } : { notRun };
  }
  return outcomes;
}

async function runOnce(row: Row, one: Contender, stores: Stores): Promise<void> {
  const { work } = row;
  let place: Place | undefined;
  try {
    place = one.kept ?? (await newPlace(row, stores));
    if (work.kind === "stage" && one.kept === undefined) {
      await one.side.prepare(work, place);
      if (leavesAsItWas(work)) one.kept = place;
    }
    if (work.kind === "stage") await stores.moveAway(work);
    one.runs.push(await one.side.measure(work, place));
  } catch (error) {
    one.notRun = reasonOf(error);
  } finally {
    if (place && one.kept === undefined) await rm(place.folder, { recursive: true, force: true });
  }
}

async function newPlace({ work }: Row, stores: Stores): Promise<Place> {
  const where = work.kind === "stage" ? await stores.whereabouts(work) : { args: [], env: {} };
  return { ...where, folder: await mkdtemp(join(tmpdir(), "bench-")) };
}

/** In a few words; a failure is printed in full immediately, and the other rows are still measured. */
function reasonOf(error: unknown): string {
  if (error instanceof TookTooLong || error instanceof NoServer || error instanceof OtherWork) return error.message;
  console.error(error);
  return "failed";
}
