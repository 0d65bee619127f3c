import { expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { Resource } from "../../core/resource/index.js";
import { consoleOutput } from "../../plugins/console-output/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { gate } from "../helpers/time/gate.ts";

const engine = createEngine({ plugins: [consoleOutput()] });

test.each([true, false])(
  "a wait for another run, and a program that runs again, are reported unless it is quiet: %s",
  async (quiet) => {
    const error: string[] = [];
    const logger = { info: () => {}, error: (line: string) => void error.push(line) };
    const [loaded, begun, waits, others] = [gate(), gate(), gate(), gate()];
    const observer = definePlugin({
      name: "observer",
      apply: ({ events }) => events.on("state:waiting", () => waits.open()),
    });
    // The holder runs until the waiting run waits for it. The late run loads before both, and changes after both.
    const Held = Resource<object, object>("test:Held", {
      async create() {
        begun.open();
        await waits.opened;
        return {};
      },
      delete: () => {},
    });
    const shared = { stage: "dev", stateStore: memoryStore(), logger, quiet, argv: [], lockTimeout: 60_000 };
    const up = (program: () => unknown) => engine.up("shop", { ...shared, plugins: [observer] }, program);
    const late = up(async () => {
      loaded.open();
      await others.opened;
      await Held("a", {});
    });
    await loaded.opened;
    const holder = up(() => Held("a", {}));
    await begun.opened;
    await Promise.all([holder, up(() => Held("a", {}))]);
    others.open();
    await late;
    expect(error.map((line) => line.split(" ")[0])).toEqual(quiet ? [] : ["waiting", "again"]);
  },
);
