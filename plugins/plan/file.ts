/** Reads and writes plan files. A plan masks secrets, so its file holds none. */
import { EngineError, messageOf, platform, uuid } from "../../core/base/index.js";
import type { Plan } from "../../core/contract/index.js";
import { macOfPlan, type SealState } from "../../core/state/index.js";

/** The contents of a plan file. */
export interface PlanFile {
  readonly plan: Plan;
  /** MAC of the plan with the key of the stage, if it has one. */
  readonly mac?: string;
}

/**
 * Writes a plan to a file that only the user can read, because names and props are private. The file of a sealed stage
 * carries a MAC if the run has the key.
 *
 * @throws EngineError `INVALID_OPTION`
 */
export async function writePlan(path: string, plan: Plan, seal: SealState): Promise<void> {
  const file = typeof seal === "object" ? { ...plan, mac: macOfPlan(seal, JSON.stringify(plan)) } : plan;
  const temporary = `${path}.${uuid()}`;
  const { files } = platform();
  try {
    await files.writeNew(temporary, `${JSON.stringify(file, undefined, 2)}\n`);
    await files.rename(temporary, path);
  } catch (error) {
    await files.remove(temporary);
    throw unusable(path, `cannot be written: ${messageOf(error).replaceAll(temporary, path)}`, error);
  }
}

/** @throws EngineError `INVALID_OPTION` if the file holds no plan */
export async function readPlan(path: string): Promise<PlanFile> {
  let read: unknown;
  try {
    read = JSON.parse(await platform().files.read(path));
  } catch (error) {
    throw unusable(path, `cannot be read: ${messageOf(error)}`, error);
  }
  const { mac, ...plan }: Readonly<Record<string, unknown>> = Object(read);
  if (!isPlan(plan))
    throw unusable(
      path,
      "is not a plan that this version of the engine saved. Make a new plan, and save it with --out (option planOut)",
    );
  return { plan, ...(typeof mac === "string" ? { mac } : {}) };
}

/**
 * Refuses a plan of a sealed stage unless a run with the key wrote it exactly so. Otherwise anyone who can change the
 * file could choose the resources to delete.
 *
 * @throws EngineError `INVALID_OPTION`
 */
export function checkPlanFile(path: string, { plan, mac }: PlanFile, seal: SealState): void {
  if (typeof seal !== "object") return;
  const again = "Nothing was done. Make a new plan";
  if (mac === undefined)
    throw unusable(path, `has no seal, but the stage is sealed. ${again} with the password or key of the stage`);
  if (mac !== macOfPlan(seal, JSON.stringify(plan))) throw unusable(path, `was changed after it was made. ${again}`);
}

function isPlan(read: unknown): read is Plan {
  const plan: Readonly<Record<string, unknown>> = Object(read);
  const { format, app, stage, phase, actions, kept, renamed = [], state } = plan;
  const isNamed = [app, stage, phase].every((name) => typeof name === "string");
  if (format !== 1 || !isNamed || !Array.isArray(actions) || !actions.every(isAction)) return false;
  if (![kept, renamed].every((notes) => Array.isArray(notes) && notes.every(isNote))) return false;
  const { seq, lines, digest, contents }: Readonly<Record<string, unknown>> = Object(state);
  const isNumbered = Number.isSafeInteger(seq) && Number.isSafeInteger(lines);
  return isNumbered && typeof digest === "string" && typeof contents === "string";
}

function isAction(read: unknown): boolean {
  const {
    fqn,
    action,
    certain,
    mayReplace,
    deletes,
    deletesFirst = [],
  }: Readonly<Record<string, unknown>> = Object(read);
  const isText = typeof fqn === "string" && typeof action === "string";
  const { uid, digest }: Readonly<Record<string, unknown>> = Object(deletes);
  if (deletes !== undefined && (typeof uid !== "string" || typeof digest !== "string")) return false;
  if (!Array.isArray(deletesFirst) || !deletesFirst.every((one) => typeof one === "string")) return false;
  return isText && typeof certain === "boolean" && typeof mayReplace === "boolean";
}

function isNote(read: unknown): boolean {
  return typeof Object(read).fqn === "string";
}

function unusable(path: string, why: string, cause?: unknown): EngineError {
  return new EngineError("INVALID_OPTION", `The plan file ${path} ${why}.`, { cause });
}
