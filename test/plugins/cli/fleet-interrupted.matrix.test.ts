import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, it } from "vitest";
import { engineProject, lacksPackage, main, type Project, plainEnv } from "../../helpers/processes/engine-project.ts";
import { lacksTerminal, openTerminal, type Terminal } from "../../helpers/terminal/terminal.ts";
import { until } from "../../helpers/time/until.ts";
import { describeUnless } from "../../servers/given.ts";
import { fleetProgram } from "./fleet-program.ts";

const FILE = "tenants.run.mjs";
const STAGES = "a b held1 held2 held3 held4";

let project: Project;
let child: ChildProcess | undefined;
beforeEach(async () => {
  project = await engineProject({ [FILE]: fleetProgram });
});
afterEach(async () => {
  child?.kill("SIGKILL");
  await project.remove();
});

/** Starts the fleet, and resolves once two stages are running. */
async function begun(flags: readonly string[] = [], stages = STAGES): Promise<() => string> {
  const started = spawn(process.execPath, [main, "fleet", "up", FILE, ...flags], {
    cwd: project.folder,
    env: { ...plainEnv(), STAGES: stages },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child = started;
  let printed = "";
  for (const stream of [started.stdout, started.stderr])
    stream.on("data", (part) => {
      printed += part;
    });
  await until(
    () => printed,
    (text) => (text.match(/^held$/gm) ?? []).length === 2,
  );
  return () => printed;
}

async function ended(): Promise<number | null> {
  if (child?.exitCode === null) await once(child, "close");
  return child?.exitCode ?? null;
}

const engine = (...args: string[]) => project.engineWith({ STAGES }, ...args);

describeUnless(lacksPackage, "a fleet run in a pipe", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("ends after %s with %i, and resume runs the other stages", async (signal, code) => {
    const printed = await begun();
    child?.kill(signal);
    expect(await ended()).toBe(code);
    expect(printed()).toContain("interrupted: waiting for the running stages");
    expect(printed()).toContain("tenants up INTERRUPTED");
    expect(printed()).toContain(`engine fleet resume ${FILE}`);
    await project.write("free", "");
    const resumed = await engine("fleet", "resume", FILE);
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining("tenants up done") });
    expect(await engine("fleet", "plan", FILE, "--exit-code")).toMatchObject({ code: 0 });
  });

  it("ends at once at a second signal, and counts as interrupted", async () => {
    const printed = await begun([], "held-deaf1 held-deaf2");
    child?.kill("SIGINT");
    await until(printed, (text) => text.includes("interrupted: waiting for the running stages"));
    child?.kill("SIGTERM");
    expect(await ended()).toBe(143);
    expect(printed()).toContain("interrupted again: ending now");
    expect((await engine("fleet", "status", FILE)).stdout).toContain("INTERRUPTED");
  });

  it("ends after one signal, with a warning, although its stages ignore it", async () => {
    const printed = await begun([], "held-deaf1 held-deaf2");
    child?.kill("SIGINT");
    expect(await ended()).toBe(130);
    expect(printed()).toContain('The stage "held-deaf1" still runs 10 s after it was interrupted');
    expect(printed()).toContain("[STAGE_LEFT]");
    expect(printed()).toContain("tenants up INTERRUPTED");
  });

  it("refuses a second run with exit code 3, and pauses and continues at the request of other processes", async () => {
    const printed = await begun(["--wait"]);
    expect(await engine("fleet", "up", FILE)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("STATE_LOCKED"),
    });
    expect(await engine("fleet", "pause", FILE)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("to pause"),
    });
    await until(
      async () => JSON.parse((await engine("fleet", "status", FILE, "--json")).stdout),
      ({ state }) => state === "paused",
    );
    expect(await engine("fleet", "resume", FILE)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("to resume"),
    });
    await project.write("free", "");
    expect(await ended()).toBe(0);
    expect(printed()).toContain("tenants up done");
  });

  it("ends with 1 after cancel, and names the command that continues the run and the one that begins a new run", async () => {
    const printed = await begun();
    await engine("fleet", "cancel", FILE);
    expect(await ended()).toBe(1);
    expect(printed()).toContain("tenants up CANCELLED");
    expect(printed()).toContain(`engine fleet resume ${FILE}  continues\n`);
    expect(printed()).toContain(`engine fleet up ${FILE}      begins a new run\n`);
  });
});

describeUnless(lacksPackage ?? lacksTerminal, "a fleet run on a terminal", () => {
  let terminal: Terminal | undefined;
  afterEach(() => terminal?.close());

  it("shows a live view that follows the size, and a summary after Ctrl-C", async () => {
    terminal = await openTerminal([process.execPath, main, "fleet", "up", FILE], {
      cwd: project.folder,
      env: { STAGES: `${STAGES} last` },
      columns: 100,
      rows: 20,
    });
    await terminal.shows(/tenants up: running, 2 of 7 stages/);
    await terminal.shows(/100%.*█+·+ 2\/7/);
    await terminal.resize(40, 20);
    await terminal.until((screen) => screen.some((line) => /^ {2}100% .* 2\/7$/.test(line)));
    await terminal.press("C-c");
    expect((await terminal.ended()).at(-1)).toBe("ended with 130");
    expect((await terminal.screen()).join("\n")).toContain("tenants up INTERRUPTED");
  });

  it("asks before it destroys, with the number of stages", async () => {
    await project.engine("fleet", "up", FILE);
    terminal = await openTerminal([process.execPath, main, "fleet", "destroy", FILE], { cwd: project.folder });
    await terminal.shows("Delete the resources of 3 stages of tenants? [y/N]");
    await terminal.press("n");
    await terminal.press("Enter");
    expect((await terminal.ended()).at(-1)).toBe("ended with 1");
    expect(await project.names()).toContain("ada.txt");
  });
});
