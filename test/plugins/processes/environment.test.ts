/** Environment variables that a run passes on to the programs it starts. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { childEnvironment } from "../../../plugins/internal/process/child-process.js";
import { processes } from "../../../plugins/processes/index.js";
import { Command, Process } from "../../../plugins/resources/index.js";
import { testApps } from "../../helpers/apps/apps.ts";
import { roots } from "../../helpers/processes/processes.ts";

const newRoot = roots();
const { engine, open } = testApps({ plugins: [processes()] });

const NAMES = ["ENGINE_PASSWORD", "ENGINE_NEW_PASSWORD", "ENGINE_KEY", "ENGINE_NEW_KEY"];
const script = `console.log("has " + JSON.stringify(${JSON.stringify([...NAMES, "OTHER"])}.map((name) => process.env[name] ?? null)))`;
const hasNone = `has [null,null,null,null,"told"]`;
const program = [process.execPath, "-e", script] as const;
const server = { command: process.execPath, args: ["-e", `${script}; setInterval(() => {}, 1000)`] };

beforeEach(() => {
  for (const name of NAMES) vi.stubEnv(name, "opens everything");
  vi.stubEnv("OTHER", "told");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the passwords and keys of stages are not in the environment", () => {
  test("of exec", async () => {
    const app = await open({ rootDir: await newRoot() });
    expect((await app.exec("x", program)).stdout.trim()).toBe(hasNone);
  });

  test("of spawn", async () => {
    const app = await open({ rootDir: await newRoot() });
    expect(await app.spawn("x", { ...server, extract: (line) => line })).toBe(hasNone);
  });

  test("of a Command", async () => {
    await open({ rootDir: await newRoot() });
    expect((await Command("x", { command: program })).stdout.trim()).toBe(hasNone);
  });

  test("of a Process", async () => {
    const app = await open({ rootDir: await newRoot(), argv: [] });
    const { line } = await Process("x", { ...server, ready: { line: "has" } });
    expect(line).toBe(hasNone);
    await engine.destroy(app);
  });

  test("however their names are written, as Windows takes them all for one", () => {
    vi.stubEnv("Engine_Password", "opens everything");
    expect(Object.keys(childEnvironment()).filter((name) => /engine_password/i.test(name))).toEqual([]);
  });
});

test("a program gets a password that it is given", async () => {
  const app = await open({ rootDir: await newRoot() });
  const { stdout } = await app.exec("x", program, { env: { ENGINE_PASSWORD: process.env.ENGINE_PASSWORD } });
  expect(stdout.trim()).toBe(`has ["opens everything",null,null,null,"told"]`);
});
