/** What a user does about a resource of which the engine cannot tell: looks into the world, and forgets or keeps it. */
import { isEngineError } from "../../../core/base/errors.js";
import { stageAdmin } from "../../../plugins/admin/index.js";
import { stateIn } from "../oracles.ts";
import type { Life } from "./live.ts";

/** What came of it: `stuck` where no command fits. */
export type Settled = "nothing" | "done" | "stuck";

export async function settle(life: Life, errors: readonly unknown[]): Promise<Settled> {
  const { records } = (await stateIn(life.store)).contents;
  const doubtful = errors.filter(
    (error) => isEngineError(error, "UNRESOLVED") || /is there to be changed/.test(String(Object(error).message)),
  );
  const fqns = new Set(doubtful.map((error) => String(Reflect.get(Object(error), "fqn"))));
  let settled: Settled = "nothing";
  for (const { key, uid, status, replaced, deleteFailed } of records.values()) {
    const isSettled = status === "ready" && deleteFailed === undefined;
    if (replaced || isSettled || !fqns.has(`app/dev/${key}`)) continue;
    const isThere = life.world.byUid(uid) !== undefined;
    life.note(`the user ${isThere ? "keeps" : "forgets"} ${key}`);
    if (!(await command(life, key, isThere))) return "stuck";
    // State commands: forgetting forgets the children, and touches nothing that is there.
    if (!isThere) life.world.forgetBelow(uid);
    settled = "done";
  }
  return settled;
}

/** False if the command refuses. */
async function command(life: Life, key: string, isThere: boolean): Promise<boolean> {
  const machine = life.simulation.machine("of the user");
  const run = life.simulation.start(`admin-${key}`, { machine }, async (process) => {
    const stateStore = life.store.client(process, process.chance("store"));
    const admin = stageAdmin(stateStore, {
      app: "app",
      stage: "dev",
      env: {},
      rootDir: "/project",
      ...(life.ground.history.password ? { password: "open sesame" } : {}),
    });
    if (isThere) await admin.keep(key);
    else await admin.forget([key]);
    await admin.close();
    return true;
  });
  await life.simulation.run();
  const { outcome } = run;
  if (outcome && "error" in outcome && !isThere) life.problems.push(`command: ${String(outcome.error)}`);
  return outcome !== undefined && "value" in outcome && outcome.value;
}
