/** The user's action on a resource with an unknown state: checks the world, and forgets or keeps it. */
import { isEngineError } from "../../../core/base/index.js";
import { type StageAdmin, stageAdmin } from "../../../plugins/admin/index.js";
import { stateIn } from "../oracles.ts";
import type { Life } from "./live.ts";

/** The outcome: `stuck` if no command fits. */
export type Settled = "nothing" | "done" | "stuck";

export async function settle(life: Life, errors: readonly unknown[]): Promise<Settled> {
  const { records } = (await stateIn(life.store)).contents;
  const doubts = new Map(errors.flatMap(inDoubt));
  let settled: Settled = "nothing";
  for (const { key, uid, status, replaced, deleteFailed, output } of records.values()) {
    const isSettled = status === "ready" && deleteFailed === undefined;
    if (replaced || isSettled || !doubts.has(`app/dev/${key}`)) continue;
    // A create whose reply was lost and that was repeated has left another resource of that uid.
    const recorded = Reflect.get(Object(output), "thing");
    const thing = recorded === undefined ? life.world.byUid(uid) : life.world.things.get(recorded);
    const isThere = thing !== undefined;
    life.note(`the user ${isThere ? "keeps" : "forgets"} ${key}`);
    const force = doubts.get(`app/dev/${key}`) === true;
    const error = await command(life, (admin) => (isThere ? admin.keep(key) : admin.forget([key], { force })));
    if (error !== undefined && !isThere) life.problems.push(`command: ${error}`);
    if (error !== undefined) return "stuck";
    // State commands: forgetting a resource forgets its children, and the real resources stay.
    if (!isThere) life.world.forgetBelow(uid);
    else if (thing) thing.rest = undefined;
    settled = "done";
  }
  return settled;
}

/**
 * FQNs of the resources that the user has to check, and whether by force: an error of a parent may be about its child.
 */
function inDoubt(error: unknown): readonly (readonly [string, boolean])[] {
  const message = String(Object(error).message);
  const [, changed] = /of "([^"]+)" failed: no \S+ is there to be changed/.exec(message) ?? [];
  if (changed !== undefined) return [[changed, false]];
  if (!isEngineError(error, "UNRESOLVED")) return [];
  // The last command for a name counts: a resource to be forgotten by force is to be kept without it.
  const commands = message.matchAll(/engine state (?:forget|keep) ([^\s"]+)( --force)?"/g);
  return [...commands]
    .map(([, fqn = "", force]) => [fqn, force !== undefined] as const)
    .sort(([, one], [, other]) => Number(one) - Number(other));
}

/** `engine state keep X --copy UID`, for each old copy that still waits for its delete. */
export async function keepCopies(life: Life): Promise<void> {
  const { records } = (await stateIn(life.store)).contents;
  for (const { key, uid, replaced } of records.values()) {
    // A child that an earlier command has kept is no longer recorded.
    if (!replaced || !(await stateIn(life.store)).contents.records.has(uid)) continue;
    life.note(`the user keeps the old copy ${uid} of ${key}`);
    const error = await command(life, (admin) => admin.keep(key, { copy: uid }));
    if (error !== undefined) life.problems.push(`command: ${error}`);
    else life.world.keepBelow(uid);
  }
}

/** Runs a command on the state. @returns the error if it refuses */
async function command(life: Life, does: (admin: StageAdmin) => Promise<unknown>): Promise<unknown> {
  const machine = life.simulation.machine("of the user");
  const run = life.simulation.start(`admin-${++life.commands}`, { machine }, async (process) => {
    const stateStore = life.store.client(process, process.chance("store"));
    const password = life.ground.history.password ? { password: "open sesame" } : {};
    const admin = stageAdmin(stateStore, { app: "app", stage: "dev", env: {}, rootDir: "/project", ...password });
    await does(admin);
    await admin.close();
  });
  await life.simulation.run();
  const { outcome } = run;
  if (!outcome) return new Error("It did not end.");
  return "error" in outcome ? outcome.error : undefined;
}
