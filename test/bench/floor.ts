/** The floor of the run: the cost of a resource for a program that only calls a handler, encodes and writes. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { runChild } from "./child.js";
import { median } from "./statistics.js";

const PATIENCE = 60_000;

/** Microseconds for each resource. */
export interface Floor {
  /** In the first thousand of a new process. */
  readonly freshUs: number;
  /** In a process that has done the same many times. */
  readonly warmUs: number;
}

/** Each run is a process of its own, of plain JavaScript as users run it. */
export async function measureFloor(runs: number): Promise<Floor> {
  const folder = await mkdtemp(join(tmpdir(), "bench-floor-"));
  try {
    const program = join(folder, "floor.mjs");
    const source = fileURLToPath(new URL("floor.child.ts", import.meta.url));
    await build({ entryPoints: [source], outfile: program, bundle: true, platform: "node", format: "esm" });
    const floors: Floor[] = [];
    for (let run = 0; run < runs; run++) {
      const child = { command: process.execPath, args: [program, folder], cwd: folder, patience: PATIENCE };
      floors.push(JSON.parse((await runChild(child)).lines.at(-1) ?? "") as Floor);
    }
    return { freshUs: median(floors.map((one) => one.freshUs)), warmUs: median(floors.map((one) => one.warmUs)) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
