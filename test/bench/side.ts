/** One side of a row: runs its programs, each in a process of its own. */
import { fileURLToPath } from "node:url";
import { type Calls, callsOf, checkCalls } from "./calls.js";
import { runChild } from "./child.js";
import type { Measured, SideName } from "./measured.js";
import { PEER_PATIENCE } from "./peers.js";
import type { Row, StageWork } from "./rows.js";
import { argumentsOf, preparationOf } from "./stage.js";
import type { Whereabouts } from "./stores.js";
import { tofuSide } from "./tofu.js";

/** Seconds that one run of ours may take. */
const OUR_PATIENCE = 600;

/** Folder and store of a run. */
export interface Place extends Whereabouts {
  readonly folder: string;
}

export interface Side {
  /** Makes the state that the work starts from. */
  prepare(work: StageWork, place: Place): Promise<void>;
  measure(work: Row["work"], place: Place): Promise<Measured>;
}

export function oursSide(entry: string): Side {
  return nodeSide({ side: "ours", program: "ours.mjs", args: ["--entry", entry], start: ["ours", entry], env: {} });
}

export function peerSide(name: SideName, folder: string): Side {
  if (name === "opentofu") return tofuSide(folder);
  return nodeSide({ side: name, program: "peer.mjs", args: [], start: ["peer"], env: { PEER: folder } });
}

interface NodeSide {
  readonly side: SideName;
  readonly program: string;
  readonly args: readonly string[];
  readonly start: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

function nodeSide({ side, program, args, start, env }: NodeSide): Side {
  const patience = (side === "ours" ? OUR_PATIENCE : PEER_PATIENCE) * 1_000;
  const run = (name: string, given: readonly string[], place: Place) => {
    const flags = name === "resident.mjs" ? ["--expose-gc"] : [];
    const all = [...flags, fileURLToPath(new URL(name, import.meta.url)), ...given];
    const variables = { ...env, ...place.env };
    return runChild({ command: process.execPath, args: all, cwd: place.folder, env: variables, patience });
  };
  const report = async (name: string, given: readonly string[], place: Place) => {
    const { wallMs, lines } = await run(name, given, place);
    const { side: _, calls, ...rest } = JSON.parse(lines.at(-1) ?? "") as Measured & { side: string; calls: Calls };
    return { measured: { ...rest, wallMs }, calls };
  };
  const startUp = async (place: Place): Promise<Measured> => {
    const [bare, own] = [await report("start.mjs", ["nothing"], place), await report("start.mjs", start, place)];
    const { wallMs, cpuMs } = own.measured;
    return { totalMs: wallMs - bare.measured.wallMs, wallMs, cpuMs };
  };
  return {
    async prepare(work, place) {
      const preparation = preparationOf(work);
      if (preparation) await run(program, [...args, ...preparation, ...place.args], place);
    },
    async measure(work, place) {
      if (work.kind === "start") return startUp(place);
      if (work.kind === "resident") {
        const given = ["--n", String(work.n), "--rounds", String(work.rounds), "--way", work.way];
        const { measured, calls } = await report("resident.mjs", [...args, ...given], place);
        checkCalls(calls, { create: work.n, update: 0, delete: 0 });
        return measured;
      }
      const { measured, calls } = await report(program, [...args, ...argumentsOf(work), ...place.args], place);
      checkCalls(calls, callsOf(work));
      return measured;
    },
  };
}
