/** Promises of the guide, checked against the world, the state and the actions of a run. */
import type { Plan } from "../../../core/contract/index.js";
import type { Contents, Loaded } from "../../../core/state/index.js";
import type { Deed, Warning } from "../deploy.ts";
import { errorsOf } from "../expected.ts";
import { heldBack } from "../held-back.ts";
import type { JournalWatch } from "../journal-watch.ts";
import { canRead, isIdempotent } from "../kinds.ts";
import { atRest as atRestAnywhere, keptPlan } from "../oracles.ts";
import { declarationsIn } from "../program.ts";
import type { Call, Thing } from "../thing.ts";
import type { Deployed } from "./live.ts";
import type { UsersWorld } from "./world.ts";

interface AtRest {
  readonly state: Loaded;
  readonly things: ReadonlyMap<string, Thing>;
  readonly told: readonly Warning[];
  readonly calls: readonly Call[];
  readonly hasCrashed: boolean;
  /** Names of processes that were killed. */
  readonly killed: ReadonlySet<string>;
}

/** Between two runs. */
export function atRest(rest: AtRest): string[] {
  return [...atRestAnywhere(rest), ...twice(rest.things), ...forgottenParts(rest)];
}

/** Writing resources: a delete that throws `PartlyDeleted` has the output of the rest, and the engine records it. */
function forgottenParts({ state, things, calls, killed }: AtRest): string[] {
  // The remains of a killed delete are not recorded.
  const untold = new Set(
    calls.flatMap(({ phase, uid, process }) => (phase === "delete" && killed.has(process) ? uid : [])),
  );
  return [...state.contents.records.values()].flatMap(({ key, uid, output, status, attempt, deleteFailed }) => {
    if (untold.has(uid)) return [];
    const isLast = deleteFailed !== undefined && status !== "deleting" && attempt === 0;
    const thing = things.get(String(Reflect.get(Object(output), "thing")));
    const recorded: unknown = Reflect.get(Object(output), "rest");
    if (!isLast || !thing || thing.released || thing.rest === recorded) return [];
    return [`partly: ${key} is recorded to have ${recorded} parts left, and has ${thing.rest}`];
  });
}

/** Writing resources: a repeated create makes no second resource, because of `idempotent` or a `read`. */
function twice(things: ReadonlyMap<string, Thing>): string[] {
  const seen = new Map<string, Thing>();
  return [...things.values()].flatMap((thing) => {
    if (thing.isStray || thing.released || thing.isForeign) return [];
    if (!canRead(thing.kind) && !isIdempotent(thing.kind)) return [];
    const other = seen.get(thing.uid);
    seen.set(thing.uid, thing);
    return other ? [`twice: ${other.name} and ${thing.name} are both ${thing.fqn} (${thing.uid})`] : [];
  });
}

/**
 * Plans: a run does what its plan says, also after a failure. `engine.destroy()` is an exception, because no plan knows
 * it.
 */
export function isForetold(
  { run: planned }: Deployed,
  { run, program, deployer }: Deployed,
  deeds: readonly Deed[],
  contents: Contents,
): string[] {
  const { outcome } = planned;
  if (!outcome || !("value" in outcome) || !run.outcome || errorsOf(run).length > 0) return [];
  if (deployer.looks !== undefined || JSON.stringify(program).includes('"do":"destroy"')) return [];
  const own = deeds.filter(({ process }) => process === run.process.name);
  return keptPlan(outcome.value as Plan, own, contents);
}

/** Scopes: `finalize({ empty: true })` prunes everything, unless a guard holds it back. */
export function emptied({ deployer, run }: Deployed, { records }: Contents): string[] {
  const { does, looks, targets, isLimited, vetoes, keepsOrphans } = deployer;
  if (does !== "up" || looks !== "empty" || !run.outcome || errorsOf(run).length > 0) return [];
  if (targets.length > 0 || isLimited || vetoes || keepsOrphans) return [];
  const held = heldBack(records.values());
  const left = [...records.values()].filter(({ uid }) => !held.has(uid));
  return left.map(({ key }) => `emptied: ${key} is recorded after the program was said to be empty`);
}

interface Waited {
  readonly runs: readonly Deployed[];
  readonly watch: JournalWatch;
  readonly world: UsersWorld;
  readonly contents: Contents;
}

/**
 * Lifecycle: a run keeps a resource that another run created or changed after this run started. Of several deployers
 * that waited for each other, the last prunes the earlier work of others.
 */
export function lastAlone({ runs, watch, world, contents }: Waited): string[] {
  const last = watch.holder;
  const own = runs.find(({ run }) => run.process === last);
  const areAllDone = runs.every(({ deployer, run }) => {
    const { blows, does, calls, isLimited, vetoes, keepsOrphans, targets } = deployer;
    if (does !== "up" || !calls || isLimited || vetoes || keepsOrphans) return false;
    return blows.length + targets.length === 0 && run.outcome !== undefined && errorsOf(run).length === 0;
  });
  if (runs.length < 2 || !last || !own || !areAllDone) return [];
  const began = world.beganAt(last.name);
  const ids = new Set(declarationsIn(own.program, true).map(({ id }) => id));
  const held = heldBack(contents.records.values());
  const left = [...contents.records.values()].filter(({ key, uid }) => {
    const changed = watch.changed.get(uid);
    const isForeign = changed !== undefined && changed.process !== last.name && changed.at >= began;
    return !isForeign && !held.has(uid) && !ids.has(key.split("/").at(-1) ?? "");
  });
  return left.map(
    ({ key }) => `unpruned: ${key} is recorded, and the last of several waiting runs does not declare it`,
  );
}
