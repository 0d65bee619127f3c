import { describe, expect, it } from "vitest";
import type { EngineOptions, PluginHost } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { askTerminal } from "../../plugins/ask-terminal/index.js";
import type { Terminal } from "../../plugins/internal/terminal/questions.js";
import { Stage } from "../helpers/apps/stage.ts";

/** The answer that a plugin gets when it asks at the end of the run. */
async function answerOf(terminal: Partial<Terminal>, options: EngineOptions = {}, answering?: boolean) {
  const shown: string[] = [];
  const there: Terminal = {
    isThere: true,
    show: (line) => void shown.push(line),
    async ask(question) {
      shown.push(question);
      return "y";
    },
    ...terminal,
  };
  let answer: boolean | undefined;
  const asking = definePlugin({
    name: "asking",
    apply({ hooks, ask }: PluginHost) {
      hooks.beforeFinalize.tapPromise("asking", async () => {
        answer = await ask("Go on?", ["one", "two"]);
      });
      if (answering !== undefined) hooks.ask.tap("asking", () => answering);
    },
  });
  const stage = new Stage({}, { plugins: [askTerminal(there)] });
  await stage.up(() => {}, { argv: undefined, plugins: [asking], ...options });
  return { answer, shown };
}

describe("a plugin that asks", () => {
  it("gets the answer from the terminal, below the details", async () => {
    expect(await answerOf({})).toEqual({ answer: true, shown: ["one", "two", "Go on? [y/N] "] });
    for (const no of ["", "n", "\n"]) expect(await answerOf({ ask: async () => no })).toMatchObject({ answer: false });
  });

  it.each<[string, Partial<Terminal>, EngineOptions]>([
    ["without a terminal", { isThere: false }, {}],
    ["in CI", {}, { env: { CI: "1" } }],
    ["with json", {}, { json: true }],
    ["in a run that is given its own argv", {}, { argv: [] }],
  ])("gets no answer %s, and nothing is shown", async (_when, terminal, options) => {
    expect(await answerOf(terminal, options)).toEqual({ answer: undefined, shown: [] });
  });

  it("gets the answer of another plugin where one answers, wherever that is installed", async () => {
    expect(await answerOf({}, {}, false)).toEqual({ answer: false, shown: [] });
    expect(await answerOf({ isThere: false }, {}, true)).toEqual({ answer: true, shown: [] });
  });

  it("is asked after the one before has its answer, whichever resource or app it is about", async () => {
    const order: string[] = [];
    const terminal: Terminal = {
      isThere: true,
      show: (line) => void order.push(line),
      async ask(question) {
        order.push(question);
        await new Promise((resolve) => setImmediate(resolve));
        order.push("answered");
        return "y";
      },
    };
    const asking = definePlugin({
      name: "asking",
      apply: ({ hooks, ask }: PluginHost) =>
        hooks.beforeFinalize.tapPromise("asking", async () => {
          await Promise.all(["first", "second"].map((detail) => ask("Go on?", [detail])));
        }),
    });
    const stage = new Stage({}, { plugins: [askTerminal(terminal)] });
    await stage.up(() => {}, { argv: undefined, plugins: [asking] });
    expect(order).toEqual(["first", "Go on? [y/N] ", "answered", "second", "Go on? [y/N] ", "answered"]);
  });
});
