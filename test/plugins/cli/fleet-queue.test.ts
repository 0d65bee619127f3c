/** Plans through a queue, which holds no messages: each cause names the command that shows its message. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { plainEnv } from "../../helpers/processes/engine-project.ts";
import { newFolder } from "../../helpers/processes/new-folder.ts";
import { until } from "../../helpers/time/until.ts";
import { describeWithRedis } from "../../servers/given-redis.ts";

const program = `
import { engine } from "scope-engine";
import { fleet } from "scope-engine/fleet";

const token = engine.secret("c4nary-token");
export default fleet("queued", {
  stages: ["ada", "bad1", "bad2", "odd1"].map((stage) => ({ stage, input: {} })),
  program({ stage }) {
    if (stage.startsWith("bad")) throw new Error("the quota of " + stage + " is used up");
    if (stage.startsWith("odd")) throw new Error("refused " + token.unencrypted);
  },
  maxFailures: 100,
});
`;
const FILE = "queued.run.mjs";

/** Not the packed package: a queue needs a package beside it. */
const root = fileURLToPath(new URL("../../..", import.meta.url));
const main = join(root, "dist/plugins/cli/main.js");

describeWithRedis("engine fleet plan through a queue", (url) => {
  let folder: string;
  let worker: ChildProcess;
  const printed: string[] = [];
  const start = (env: Readonly<Record<string, string>>, ...args: readonly string[]): ChildProcess =>
    spawn(process.execPath, [main, ...args], { cwd: folder, env: { ...plainEnv(), ...env }, stdio: "pipe" });
  async function ran(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
    const { stdout, stderr, child } = piped(start(env, ...args), [], []);
    await once(child, "close");
    return { code: child.exitCode, stdout: stdout.join(""), stderr: stderr.join("") };
  }
  beforeEach(async () => {
    folder = await newFolder();
    await mkdir(join(folder, "node_modules"));
    await symlink(root, join(folder, "node_modules/scope-engine"), "dir");
    await writeFile(join(folder, FILE), program);
    worker = start({ ENGINE_QUEUE: url }, "worker", FILE);
    printed.length = 0;
    piped(worker, printed);
    await until(() => printed.join("").includes("takes stages"));
  });
  afterEach(async () => {
    if (worker.exitCode !== null || worker.signalCode !== null) return;
    worker.kill("SIGKILL");
    await once(worker, "close");
  });

  it("names a stage of each cause and the command that shows its message, which the worker prints masked", async () => {
    const { code, stderr } = await ran({}, "fleet", "plan", FILE, "--queue", url);
    expect(code).toBe(1);
    expect(stderr).not.toContain("quota");
    expect(stderr).toContain("FAILED   2 stages [RUN_FAILED]\n");
    const named = [...stderr.matchAll(/^next {5}engine (fleet plan .*?) {2,}shows the message of (.*)$/gm)];
    expect(named.map(([, , whose]) => whose)).toEqual(["one of these 2 stages", "this stage"]);
    const shown = await Promise.all(named.map(([, line = ""]) => ran({}, ...line.split(" "))));
    expect(shown[0]?.stderr).toMatch(/^FAILED {3}queued\/bad\d: the quota of bad\d is used up \[RUN_FAILED\]\n/m);
    expect(shown[0]?.stdout).toContain("queued plan: 1 stage\n");
    expect(shown[1]?.stderr).toMatch(/^FAILED {3}queued\/odd1: refused \*\*\* \[RUN_FAILED\]\n/m);
    await until(() => printed.join("").match(/^FAILED /gm)?.length === 3);
    const lines = printed.join("");
    expect(lines).toMatch(/^FAILED {3}queued\/bad1: the quota of bad1 is used up \[RUN_FAILED\]$/m);
    expect(lines).toMatch(/^FAILED {3}queued\/odd1: refused \*\*\* \[RUN_FAILED\]$/m);
    expect(lines).not.toContain("c4nary");
  });

  it("looks at one stage in its own process, also if the environment names a queue", async () => {
    worker.kill("SIGKILL");
    await once(worker, "close");
    const ada = await ran({ ENGINE_QUEUE: url }, "fleet", "plan", FILE, "--stage", "ada");
    expect(ada).toMatchObject({ code: 0, stdout: expect.stringContaining("queued plan done") });
    const zoe = await ran({}, "fleet", "drift", FILE, "--stage", "zoe");
    expect(zoe).toMatchObject({ code: 1, stderr: expect.stringContaining('"zoe", which is not a stage of the fleet') });
  });
});

/** Collects what a process prints. @param stderr default: the same list */
function piped(child: ChildProcess, stdout: string[] = [], stderr: string[] = stdout) {
  child.stdout?.on("data", (part) => void stdout.push(String(part)));
  child.stderr?.on("data", (part) => void stderr.push(String(part)));
  return { child, stdout, stderr };
}
