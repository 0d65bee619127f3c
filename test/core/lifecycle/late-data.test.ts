import { expect, test } from "vitest";
import { definePlugin } from "../../../core/plugin/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";

test.each(["afterFinalize", "run:finished"] as const)(
  "data that is set once the state is closed (%s) is refused, and no run has to wait for it",
  async (moment) => {
    const Thing = new World().type();
    const errors: unknown[] = [];
    const late = definePlugin({
      name: "late",
      apply({ hooks, events }) {
        let set = async (): Promise<void> => {};
        hooks.scopeCreated.tap("late", ({ scope }) => {
          set = () => scope.set("at", 1).catch((error: unknown) => void errors.push(error));
        });
        if (moment === "afterFinalize") hooks.afterFinalize.tap("late", () => set());
        else events.on("run:finished", () => void set());
      },
    });
    const stage = new Stage({ plugins: [late] });
    for (const value of [1, 2]) {
      await stage.up(() => Thing("a", { value }));
      expect(stage.heard("state:taken-over")).toEqual([]);
    }
    expect(errors).toMatchObject([{ code: "NO_SCOPE" }, { code: "NO_SCOPE" }]);
  },
);
