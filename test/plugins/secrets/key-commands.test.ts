/** A command that prints the key of a stage: when it runs, and its error messages. */
import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { EngineOptions, KeyCommand } from "../../../core/contract/index.js";
import { groupLives } from "../../../plugins/internal/process/process-group.js";
import { newKeyText, printedBy } from "../../../plugins/secrets/opener.js";
import { redactor } from "../../../plugins/secrets/redactor.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { cwd as folder, folderEach } from "../../e2e/own-folder.ts";
import { secretStage } from "../../helpers/apps/secret-stage.ts";
import type { Stage } from "../../helpers/apps/stage.ts";
import { World } from "../../helpers/apps/world.ts";

folderEach("key-command");
afterEach(() => void vi.unstubAllEnvs());

const world = new World();
const Thing = world.type();

const newStage = (): Stage => secretStage({ password: undefined });

const declare = (stage: Stage, own: EngineOptions) =>
  stage.up(() => Thing("a", { value: new Secret("s3cret-of-a") }), own);

const errorOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.fail("It did not fail."),
    (error) => error.errors?.[0] ?? error,
  );

describe("a command for a key", () => {
  const node = (script: string): KeyCommand => ({ command: [process.execPath, "-e", script] });
  test.each([
    [
      "ends with an error",
      node("console.log('s3cr3t-of-it'); process.exit(3)"),
      "KEY_COMMAND_FAILED",
      "ended with exit code 3",
    ],
    ["prints nothing", node(""), "KEY_COMMAND_FAILED", "printed nothing"],
    ["is not there", { command: ["no-such-program-here"] }, "KEY_COMMAND_FAILED", "ENOENT"],
    ["ends by a signal", node("process.kill(process.pid, 'SIGKILL')"), "KEY_COMMAND_FAILED", "SIGKILL"],
    ["prints something else", node("console.log('s3cr3t-of-it')"), "KEY_INVALID", "The output of the key command"],
  ] as const)("that %s fails the run, and tells nothing of what it printed", async (_, key, code, message) => {
    world.news();
    const error = await errorOf(declare(newStage(), { key: key as KeyCommand }));
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(String(error)).not.toContain("s3cr3t-of-it");
    expect(world.news()).toEqual([]);
  });

  test("that leaves a process behind with its output gives its key all the same", async () => {
    const key = newKeyText();
    vi.stubEnv("PID_FILE", `${folder}/pid`);
    try {
      expect(await printedBy({ command: `printf %s ${key}; sleep 1000 & echo $! > "$PID_FILE"` })).toBe(key);
    } finally {
      process.kill(Number(await readFile(`${folder}/pid`, "utf8")));
    }
  });

  test("that waits under a shell is ended with all that it has started, once it takes too long", async () => {
    vi.stubEnv("PID_FILE", `${folder}/pid`);
    const command = `echo $$ > "$PID_FILE"; sleep 1000 & wait`;
    await expect(printedBy({ command }, 300)).rejects.toMatchObject({
      code: "KEY_COMMAND_FAILED",
      message: expect.stringContaining("took longer than 0.3 s"),
    });
    // The command may have been too slow to write its pid.
    const group = Number(await readFile(`${folder}/pid`, "utf8").catch(() => 0));
    expect(group > 0 && groupLives(group)).toBe(false);
  });

  /** Prints a key, and appends the password in its environment to a file at each call. */
  const counting = (key: string): KeyCommand =>
    node(
      `require("node:fs").appendFileSync(${JSON.stringify(`${folder}/calls`)}, String(process.env.ENGINE_PASSWORD) + "\\n"); console.log(${JSON.stringify(key)})`,
    );

  test("is run when a run begins, once for all of its runs and scopes, without the passwords of stages", async () => {
    const key = newKeyText();
    const command = counting(key);
    vi.stubEnv("ENGINE_PASSWORD", "opens everything");
    const stage = newStage();
    await stage.up(() => Thing("plain", { value: 1 }));
    await expect(readFile(`${folder}/calls`)).rejects.toThrow("ENOENT");
    const next = newStage();
    const app = await next.open({ key: command });
    expect(await readFile(`${folder}/calls`, "utf8")).toBe("undefined\n");
    await app.run(() => Thing("plain", { value: 1 }));
    await app.finalize();
    const program = async () => {
      await Thing("a", { value: new Secret("s3cret-of-a") });
      await next.engine.run("inner", () => Thing("b", { value: new Secret("s3cret-of-b") }));
    };
    await next.up(program, { key: command });
    expect(await readFile(`${folder}/calls`, "utf8")).toBe("undefined\n");
    expect(redactor.redact(`it is ${key}`)).toBe("it is ***");
  });

  test("of a scope in a stage is run where a secret is met in there, once", async () => {
    const own = { key: counting(newKeyText()) };
    const stage = newStage();
    await stage.up(() => stage.engine.run("inner", own, () => Thing("plain", { value: 1 })));
    await expect(readFile(`${folder}/calls`)).rejects.toThrow("ENOENT");
    await stage.up(async () => {
      await stage.engine.run("inner", own, () => Thing("a", { value: new Secret("s3cret-of-a") }));
      await stage.engine.run("other", own, () => Thing("b", { value: new Secret("s3cret-of-b") }));
    });
    expect(await readFile(`${folder}/calls`, "utf8")).toBe("undefined\n");
  });
});
