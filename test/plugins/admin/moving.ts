/** Moves records between two stages of one store, with processes that are killed or lose replies at every request. */
import { expect, it } from "vitest";
import { isEngineError } from "../../../core/base/index.js";
import type { Scope, StateStore } from "../../../core/contract/index.js";
import { type StageAdmin, type StageAdminOptions, stageAdmin } from "../../../plugins/admin/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { secretStage } from "../../helpers/apps/secret-stage.js";
import { World } from "../../helpers/apps/world.js";
import { type StoreCall, storeAround } from "../../helpers/stores/store-around.js";

export const [DEV, PROD] = ["correct horse", "battery staple"];

export function twoStages(store: StateStore) {
  const world = new World();
  const Thing = world.type();
  const stages = {
    dev: secretStage({ stateStore: store, stage: "dev", password: DEV }),
    prod: secretStage({ stateStore: store, stage: "prod", password: PROD }),
  };
  /** The resources that move, in the program of either stage. */
  const moved = async (app: Scope): Promise<void> => {
    const db = await Thing("db", { value: new Secret("hush") }, { protect: true });
    await app.run(async () => {
      const { engine } = stages.dev;
      await engine.run("web", async (scope) => {
        if (scope.phase === "up" && (await scope.get("port")) === undefined) {
          await scope.set("port", 80);
          await scope.set("token", new Secret("whisper"));
        }
        await Thing("page", { uses: db });
        await Thing("logo");
      });
    });
  };
  const stays = (name: string) => async (): Promise<void> => void (await Thing(name));
  return { world, Thing, stages, moved, stays };
}

export type Two = ReturnType<typeof twoStages>;

export async function begun(two: Two): Promise<void> {
  await two.stages.dev.up(async (app) => {
    await two.stays("kept")();
    await two.moved(app);
  });
  await two.stages.prod.up(two.stays("other"));
  two.world.news();
}

export const NAMES = ["db", "web"];

export function adminOf(store: StateStore, more: Partial<StageAdminOptions> = {}): StageAdmin {
  return stageAdmin(store, { app: "app", stage: "dev", password: DEV, env: {}, ...more });
}

export const move = async (store: StateStore) => {
  await using admin = adminOf(store);
  return await admin.moveTo({ stage: "prod", password: PROD, names: NAMES });
};

/** The resources of a stage that a run can use; or the code of the refusal. */
export async function usable(store: StateStore, stage: string): Promise<readonly string[] | string> {
  await using admin = adminOf(store, { stage, password: stage === "dev" ? DEV : PROD });
  try {
    const { resources } = await admin.list();
    return resources.map(({ fqn }) => fqn.slice(`app/${stage}/`.length));
  } catch (error) {
    if (!isEngineError(error)) throw error;
    if (error.code === "STATE_INCOMPLETE")
      expect(error.message).toContain("engine state move db web --app app --stage dev --to-stage prod");
    return error.code;
  }
}

export const BEFORE = { dev: ["db", "kept", "web/logo", "web/page"], prod: ["other"] };
export const AFTER = { dev: ["kept"], prod: ["db", "other", "web/logo", "web/page"] };

/** A store whose process ends at its nth write, or that loses the reply to it. */
function dying(inner: StateStore, at: number, edge: "before" | "after" | "reply lost") {
  let [writes, isDead] = [0, false];
  const store = storeAround(inner, async ({ op }: StoreCall, act) => {
    if (isDead) throw new Error("The process was killed.");
    const isLast = !["get", "getMany", "list"].includes(op) && ++writes === at;
    if (isLast && edge !== "reply lost") isDead = true;
    if (isLast && edge === "before") throw new Error("The process was killed.");
    const answer = await act();
    if (isLast) throw new Error("The connection was lost.");
    return answer;
  });
  return { store: Object.assign(store, { close: async () => {} }), wasReached: () => writes >= at };
}

/** After a move, each program finds its resources as they were, and every secret. */
async function goesOn(two: Two): Promise<void> {
  await two.stages.prod.up(async (app) => {
    await two.stays("other")();
    await two.moved(app);
  });
  expect([two.world.news(), two.stages.prod.summary]).toEqual([[], { unchanged: 4 }]);
  await two.stages.dev.up(two.stays("kept"));
  expect([two.world.news(), two.stages.dev.summary]).toEqual([[], { unchanged: 1 }]);
  expect(two.world.names).toHaveLength(5);
}

/** @param step distance between the writes that are followed by a kill */
export function movesSafely(make: () => StateStore, { first = 1, step = 1 } = {}): void {
  it.each(["before", "after", "reply lost"] as const)(
    "a record is in exactly one stage, or the same command finishes the move, with a kill %s each write",
    async (edge) => {
      const found = new Set<string>();
      for (let at = first, goesOnKilling = true; goesOnKilling; at += step) {
        const inner = make();
        const two = twoStages(inner);
        await begun(two);
        const { store, wasReached } = dying(inner, at, edge);
        const outcome = await move(store).catch((error: unknown) => error);
        goesOnKilling = wasReached();
        const [dev, prod] = [await usable(inner, "dev"), await usable(inner, "prod")];
        const where = `${edge} write ${at}: ${outcome instanceof Error ? outcome.message : "moved"}`;
        found.add(`${nameOf(dev, BEFORE.dev, AFTER.dev)} ${nameOf(prod, BEFORE.prod, AFTER.prod)}`);
        if (goesOnKilling || outcome instanceof Error) {
          const again = await move(inner).catch((error: unknown) => error);
          // A move that was complete has nothing left under these names.
          if (isEngineError(again))
            expect([again.code, dev, prod], where).toEqual(["NOT_RECORDED", AFTER.dev, AFTER.prod]);
        }
        expect([await usable(inner, "dev"), await usable(inner, "prod")], where).toEqual([AFTER.dev, AFTER.prod]);
        await goesOn(two);
        await inner.close?.();
      }
      const allowed = ["before before", "before refused", "refused refused", "refused after", "after after"];
      expect(allowed).toEqual(expect.arrayContaining([...found]));
      if (step === 1) expect(found).toContain(edge === "reply lost" ? "after after" : "refused refused");
    },
    300_000,
  );
}

function nameOf(found: readonly string[] | string, before: readonly string[], after: readonly string[]): string {
  if (typeof found === "string") {
    expect(found).toBe("STATE_INCOMPLETE");
    return "refused";
  }
  if (found.join() === before.join()) return "before";
  expect(found).toEqual(after);
  return "after";
}
