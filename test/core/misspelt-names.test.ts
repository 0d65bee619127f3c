import { inspect } from "node:util";
import { expect, it } from "vitest";
import { createEventBus, createHooks } from "../../core/plugin/index.js";
import { Stage } from "../helpers/apps/stage.js";

const refused = (message: string) => expect.objectContaining({ code: "INVALID_DEFINITION", message });

it("a misspelt hook is named, with the nearest, and the plugin that has asked for it", async () => {
  const plugin = {
    name: "hasty",
    apply: ({ hooks }: { readonly hooks: object }) => Reflect.get(hooks, "beforeAply").tap("hasty", () => {}),
  };
  const stage = new Stage({ plugins: [plugin] });
  const message = 'Plugin "hasty" could not be installed: There is no hook "beforeAply". Did you mean "beforeApply"?';
  await expect(stage.open()).rejects.toMatchObject(refused(message));
});

it("a hook that no other is near to is answered with all there are", () => {
  expect(() => Reflect.get(createHooks().hooks, "onMonday")).toThrow(/no hook "onMonday"\. The hooks are: options, /);
});

it("whether there is a hook can be asked, and hooks can be shown, listed and copied", async () => {
  const { hooks } = createHooks();
  expect(["props" in hooks, "properties" in hooks]).toEqual([true, false]);
  expect(Object.keys({ ...hooks })).toContain("beforeApply");
  expect([inspect(hooks), `${hooks}`]).toEqual([expect.stringContaining("beforeApply"), "[object Object]"]);
  expect(JSON.parse(JSON.stringify(hooks))).toHaveProperty("cleanup");
  expect(await Promise.resolve(hooks)).toBe(hooks);
});

it("an event that there is not is refused, with the nearest", () => {
  const { source } = createEventBus();
  const on = (name: string) => () => Reflect.apply(source.on, source, [name, () => {}]);
  expect(on("resource:create")).toThrow(
    refused('There is no event "resource:create". Did you mean "resource:created"?'),
  );
  expect(on("monday")).toThrow('There is no event "monday". The guide lists all events; "*" stands for all of them.');
  for (const name of ["*", "warning", "state:taken-over"]) expect(on(name)).not.toThrow();
});
