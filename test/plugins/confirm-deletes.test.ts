import { describe, expect, it } from "vitest";
import type { EngineOptions } from "../../core/contract/index.js";
import { askTerminal } from "../../plugins/ask-terminal/index.js";
import { confirmDeletes } from "../../plugins/confirm-deletes/index.js";
import type { Terminal } from "../../plugins/internal/terminal/questions.js";
import { failuresOf, Stage } from "../helpers/apps/stage.ts";
import { newThings } from "../helpers/apps/things.ts";

class FakeTerminal implements Terminal {
  readonly isThere: boolean;
  readonly shown: string[] = [];
  readonly asked: string[] = [];
  readonly #answer: string;

  constructor(answer: string, isThere = true) {
    this.#answer = answer;
    this.isThere = isThere;
  }

  show(line: string): void {
    this.shown.push(line);
  }

  async ask(question: string): Promise<string> {
    this.asked.push(question);
    return this.#answer;
  }
}

/** Finalizes a stage of three resources, of which the program still declares one. */
async function run(terminal: Terminal, options: EngineOptions = {}) {
  const { Thing, calls } = newThings();
  const stage = new Stage({}, { plugins: [askTerminal(terminal), confirmDeletes()] });
  await stage.up(async () => {
    for (const id of ["a", "b", "c"]) await Thing(id);
  });
  calls.length = 0;
  const ran = stage.up(() => Thing("a"), { maxDeletes: 1, argv: undefined, ...options });
  const failures = await failuresOf(ran).catch(() => []);
  return { failures, deleted: calls.length };
}

describe("on a terminal, beyond the limit", () => {
  it("what would be deleted is listed, and asked about", async () => {
    const terminal = new FakeTerminal("y");
    await run(terminal);
    expect(terminal.shown).toEqual([
      expect.stringMatching(/^delete {3}app\/dev\/b {2}\(test:Thing\d+\)$/),
      expect.stringMatching(/^delete {3}app\/dev\/c {2}/),
    ]);
    expect(terminal.asked).toEqual(["Delete these 2 resources? [y/N] "]);
  });

  it.each(["y", "Y", "yes", "YES", " y "])("the answer %j lets them go", async (answer) => {
    expect(await run(new FakeTerminal(answer))).toEqual({ failures: [], deleted: 2 });
  });

  it.each(["", "n", "no", "ja", "yes please", "\n"])("the answer %j refuses it all", async (answer) => {
    expect(await run(new FakeTerminal(answer))).toMatchObject({
      failures: [
        {
          code: "TOO_MANY_DELETES",
          message:
            "The 2 deletes were not carried out: maxDeletes allows 1 more, and you did not confirm a higher number.",
        },
      ],
      deleted: 0,
    });
  });

  it("the question counts only what the plugins that are installed later do not keep", async () => {
    const terminal = new FakeTerminal("n");
    const keeping = {
      name: "keeping",
      apply: ({ hooks }: Parameters<ReturnType<typeof confirmDeletes>["apply"]>[0]) =>
        hooks.beforePrune.tap("keeping", ({ items: [first], keep }) => first && keep(first, "needed")),
    };
    expect(await run(terminal, { plugins: [keeping] })).toEqual({ failures: [], deleted: 1 });
    expect(terminal.asked).toEqual([]);
  });
});

describe("no question is asked", () => {
  it.each<[string, EngineOptions]>([
    ["within the limit", { maxDeletes: 2 }],
    ["without a limit", { maxDeletes: undefined }],
  ])("%s, and all go", async (_when, options) => {
    const terminal = new FakeTerminal("n");
    expect(await run(terminal, options)).toEqual({ failures: [], deleted: 2 });
    expect(terminal.asked).toEqual([]);
  });

  it.each<[string, EngineOptions]>([
    ["in a run that is given its own argv", { argv: [] }],
    ["in CI", { env: { CI: "true" } }],
    ["where events are printed as JSON", { json: true }],
  ])("%s, and the limit stands", async (_when, options) => {
    const terminal = new FakeTerminal("y");
    expect(await run(terminal, options)).toMatchObject({ failures: [{ code: "TOO_MANY_DELETES" }], deleted: 0 });
    expect(terminal.asked).toEqual([]);
  });

  it("without a terminal, and the limit stands", async () => {
    const terminal = new FakeTerminal("y", false);
    expect(await run(terminal)).toMatchObject({ failures: [{ code: "TOO_MANY_DELETES" }], deleted: 0 });
    expect(terminal.asked).toEqual([]);
  });
});
