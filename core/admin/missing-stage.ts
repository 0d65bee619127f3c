/** Tells a stage that has no state from one that has, and names the stages that a mistyped name may have meant. */
import { allNear, EngineError } from "../base/index.js";
import { decodeName, type LedgerLocation } from "../state/index.js";
import { compare } from "./listed.js";
import { rootsIn } from "./stages.js";

/** A list of more names than this is cut. */
const SHOWN = 8;
const MISSING_OK = "With --missing-ok a command ends with 0.";

/** One request if the stage has a state; else the store is listed. @throws EngineError `NOT_RECORDED` */
export async function checkExists({ store, keys, app, stage }: LedgerLocation): Promise<void> {
  for await (const _ of store.list(keys.root)) return;
  const names = [...(await rootsIn(store)).keys()].map((root) => root.split("/").map(decodeName));
  const stages = names.flatMap(([name, one]) => (name === app && one !== undefined ? one : []));
  const apps = names.flatMap(([name]) => name ?? []);
  throw new EngineError("NOT_RECORDED", `${missing(app, stage, stages, [...new Set(apps)])} ${MISSING_OK}`);
}

/**
 * @param stages those of the app
 * @param apps those of the store
 */
function missing(app: string, stage: string, stages: readonly string[], apps: readonly string[]): string {
  const what = `Nothing was ever recorded of "${app}/${stage}"`;
  if (stages.length > 0) return `${what}: the app has no such stage. ${hintFor(stage, stages)}`;
  if (apps.length > 0) return `${what}: the store has no such app. ${hintFor(app, apps)}`;
  return `${what}: the store is empty.`;
}

function hintFor(name: string, names: readonly string[]): string {
  const near = allNear(name, names);
  if (near.length > 0) return `Did you mean ${near.map(quoted).join(" or ")}?`;
  const sorted = names.toSorted(compare);
  const rest = sorted.length - SHOWN;
  return `It has ${sorted.slice(0, SHOWN).map(quoted).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`;
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
