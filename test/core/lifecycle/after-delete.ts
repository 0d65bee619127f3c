/** Resources whose delete did not finish. */
import { type NewWorld, newWorld } from "../../helpers/apps/new-world.js";
import type { TypeOptions } from "../../helpers/apps/world.js";

export const HOWS = ["failed", "was interrupted"] as const;
export type How = (typeof HOWS)[number];

type There = Pick<NewWorld, "world" | "stage">;

/** Runs a program in which the delete of "a" fails or is interrupted; later deletes work. */
export async function endingIn(
  { world, stage }: There,
  how: How,
  program: () => unknown,
  phase: "up" | "destroy" = "up",
): Promise<void> {
  const controller = new AbortController();
  world.on("delete a", ({ signal }) => {
    if (how === "failed") throw new Error("403 forbidden");
    controller.abort();
    signal.throwIfAborted();
  });
  await stage.up(program, { phase, signal: controller.signal }).catch(() => {});
  world.calm();
  world.news();
}

/** A resource "a" whose delete failed or was interrupted before it did anything. */
export async function afterDelete(how: How, type: TypeOptions = {}, phase: "up" | "destroy" = "destroy") {
  const there = newWorld(type);
  await there.stage.up(() => there.Thing("a", { value: 1 }));
  await endingIn(there, how, () => {}, phase);
  return there;
}
