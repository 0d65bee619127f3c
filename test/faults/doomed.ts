/** Runs in processes of their own, each ending at one point. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compiledProgram } from "../helpers/processes/compiled-program.js";
import { testServers } from "../helpers/stores/test-servers.js";
import type { Order } from "./order.js";

export interface DoomedRun {
  readonly folder: string;
  /** Name of the places. */
  readonly places: string;
  readonly order: Order;
}

export interface Death {
  /** The point; undefined if the run finished before. */
  readonly point: string | undefined;
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  readonly stderr: string;
}

export async function doom({ folder, places, order }: DoomedRun): Promise<Death> {
  const file = compiledProgram(new URL("doomed.child.ts", import.meta.url));
  const child = spawn(process.execPath, [file, folder, places, JSON.stringify(order)], {
    cwd: folder,
    env: { PATH: process.env.PATH, XDG_STATE_HOME: process.env.XDG_STATE_HOME, ...testServers(process.env) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { out: "", err: "" };
  child.stdout.on("data", (chunk) => (texts.out += chunk));
  child.stderr.on("data", (chunk) => (texts.err += chunk));
  await once(child, "close");
  return {
    point: texts.out === "" ? undefined : texts.out,
    signal: child.signalCode,
    code: child.exitCode,
    stderr: texts.err,
  };
}

/** The names of all points that a run passes. */
export async function pointsOf(run: DoomedRun): Promise<string[]> {
  const { code, signal, stderr } = await doom(run);
  if (code !== 0 || stderr !== "") throw new Error(`A run to its end ended with ${code ?? signal}: ${stderr}`);
  const text = await readFile(join(run.folder, "points.txt"), "utf8");
  return text.split("\n").filter(Boolean);
}
