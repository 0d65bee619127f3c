/** The engine's part in `exec` and `spawn`, with any plugin. */
import { describe, expect, test } from "vitest";
import { EngineError, isUnknown } from "../../core/base/index.js";
import type {
  EnginePlugin,
  ExecContext,
  ExecResult,
  ProcessCall,
  Scope,
  SpawnContext,
} from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { failuresOf, Stage } from "../helpers/apps/stage.js";
import { World } from "../helpers/apps/world.js";

const DONE: ExecResult = { exitCode: 0, stdout: "done", stderr: "" };

/** Logs its requests, and starts nothing. */
function noting(said: unknown[], more: Partial<ProcessCall<ExecResult>> = {}): EnginePlugin {
  const call = <T>(context: ExecContext | SpawnContext, result: T): ProcessCall<T> => ({
    check: () => void said.push(`check ${context.id}`),
    async begin() {
      said.push(`begin ${context.id}`);
      return result;
    },
  });
  return definePlugin({
    name: "noting",
    apply({ hooks }) {
      hooks.exec.tap("noting", (context) => ({ ...call(context, DONE), ...more }));
      hooks.spawn.tap("noting", (context) => call(context, "spawned"));
    },
  });
}

const both = async (app: Scope): Promise<unknown[]> => [
  await app.exec("a", "true"),
  await app.spawn("b", { command: "server", extract: (line) => line }),
];

describe("exec and spawn", () => {
  test.each([
    ["exec", (app: Scope) => app.exec("a", "true")],
    ["spawn", (app: Scope) => app.spawn("a", { command: "true" })],
  ] as const)(
    "without a plugin that does it, %s fails the run, and says which one to install",
    async (method, work) => {
      const stage = new Stage();
      const failures = await stage.failures((app) => void work(app).catch(() => {}));
      expect(failures).toMatchObject([{ code: "INVALID_CALL", fqn: "app/dev/a" }]);
      expect(`${failures[0]}`).toContain(`"app/dev/a": ${method}() needs the processes plugin`);
      expect(`${failures[0]}`).toContain("processes()");
      expect(`${failures[0]}`).toContain('"scope-engine/plugins/processes"');
    },
  );

  test("are what the plugin gives, with what the program gave", async () => {
    const contexts: unknown[] = [];
    const hearing = definePlugin({
      name: "hearing",
      apply({ hooks }) {
        hooks.exec.tap("hearing", (context) => void contexts.push(context));
        hooks.spawn.tap("hearing", (context) => void contexts.push(context));
      },
    });
    const said: unknown[] = [];
    const stage = new Stage({ plugins: [hearing, noting(said)] });
    let given: unknown;
    const app = await stage.up(async (scope) => {
      given = await both(scope);
    });
    expect(given).toEqual([DONE, "spawned"]);
    expect(said).toEqual(["check a", "begin a", "check b", "begin b"]);
    expect(contexts).toEqual([
      { scope: app, id: "a", fqn: "app/dev/a", command: "true", options: {} },
      { scope: app, id: "b", fqn: "app/dev/b", options: { command: "server", extract: expect.any(Function) } },
    ]);
  });

  test.each([
    ["a plan", { plan: true }],
    ["the phase read", { phase: "read" }],
  ] as const)("are checked in %s, and refused", async (_where, options) => {
    const said: unknown[] = [];
    const stage = new Stage({ plugins: [noting(said)] });
    const refused: unknown[] = [];
    await stage
      .up(async (app) => {
        await app.exec("a", "true").catch((error: unknown) => refused.push(error));
        await app.spawn("b", { command: "server" }).catch((error: unknown) => refused.push(error));
      }, options)
      .catch(() => {});
    expect(refused).toMatchObject([{ code: "READ_ONLY" }, { code: "READ_ONLY" }]);
    expect(said).toEqual(["check a", "check b"]);
  });

  test("give what is unknown in the phase destroy, and begin nothing", async () => {
    const said: unknown[] = [];
    const Thing = new World().type();
    const stage = new Stage({ plugins: [noting(said)] });
    await stage.up(() => Thing("a"));
    const app = await stage.open({ phase: "destroy" });
    const [result, line] = await both(app);
    await app.finalize();
    expect(result).toMatchObject({ exitCode: 0 });
    expect(isUnknown(Object(result).stdout)).toBe(true);
    expect(isUnknown(line)).toBe(true);
    expect(said).toEqual(["check a", "check b"]);
  });

  test.each([
    ["check", { check: () => raise(new EngineError("INVALID_CALL", "No such command.")) }],
    ["begin", { begin: async () => raise(new EngineError("COMMAND_FAILED", "It went wrong.")) }],
  ])("fail with what %s throws: no word of the plugin", async (_name, call) => {
    const stage = new Stage({ plugins: [noting([], call)] });
    const failures = await failuresOf(stage.up((app) => app.exec("a", "true")));
    expect(failures).toHaveLength(1);
    expect(`${failures[0]}`).toMatch(/"app\/dev\/a": (No such command|It went wrong)\.$/);
  });

  test("hold up finalize() until they have settled", async () => {
    const order: string[] = [];
    let settle = (): void => {};
    const begun = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const begin = async (): Promise<ExecResult> => {
      await begun;
      order.push("settled");
      return DONE;
    };
    const stage = new Stage({ plugins: [noting([], { begin })] });
    const app = await stage.open();
    void app.exec("a", "true");
    const finalized = app.finalize().then(() => order.push("finalized"));
    settle();
    await finalized;
    expect(order).toEqual(["settled", "finalized"]);
  });
});

function raise(error: EngineError): never {
  throw error;
}
