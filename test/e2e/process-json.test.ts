import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProgram, startProgram } from "../helpers/child-program.ts";
import { read } from "../house/project.ts";

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "process-"));
});
afterEach(() => rm(cwd, { recursive: true }));

const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
  JSON.parse(read("plugins/console/events.schema.json")),
);
/** Every line as an event that fits the schema. */
function eventsIn(stdout: string): { type: string; [member: string]: unknown }[] {
  const events = stdout.split("\n").map((line) => JSON.parse(line));
  expect(events.filter((event) => !validate(event))).toEqual([]);
  return events;
}

describe("a process with --json", () => {
  it("has nothing but events on standard output; what the program prints there meanwhile is on standard error", async () => {
    const { code, stdout, stderr } = await runProgram("unfinished", { cwd, args: ["--json"] });
    expect(code).toBe(0);
    expect(stderr.split("\n")).toEqual(["ended"]);
    const lines = stdout.split("\n");
    // A function of onCleanup runs when the run is over: standard output is the program's again.
    expect(lines.at(-1)).toBe("cleaned");
    expect(eventsIn(lines.slice(0, -1).join("\n")).at(-1)).toMatchObject({ type: "run:finished", ok: true });
  });

  it("tells of a start that failed, and how to get on, and exits with 3", async () => {
    const holder = startProgram("locked", { cwd, args: ["holder"] });
    await holder.printed("holding");
    const { code, stdout, stderr } = await runProgram("locked", { cwd, args: ["--json", "second"] });
    expect(code).toBe(3);
    expect(eventsIn(stdout)).toMatchObject([
      {
        type: "run:failed",
        code: "STATE_LOCKED",
        message: expect.stringContaining("engine state unlock"),
        holder: { pid: holder.process.pid, process: "runs" },
      },
    ]);
    expect(stderr.match(/STATE_LOCKED/g)).toHaveLength(1);
    holder.process.kill("SIGKILL");
    await holder.ended;
    const next = await runProgram("locked", { cwd, args: ["--json", "second"] });
    expect(eventsIn(next.stdout).map(({ type }) => type)).toContain("state:taken-over");
    expect(next.stderr).toBe("holding");
  });

  it("says when the process ends behind a destroy", async () => {
    await runProgram("stage", { cwd });
    const { code, stdout } = await runProgram("stage", { cwd, args: ["--destroy", "--json"] });
    expect(code).toBe(0);
    expect(eventsIn(stdout).map(({ type }) => type)).toEqual(
      expect.arrayContaining(["resource:deleted", "run:finished", "program:ended"]),
    );
  });
});

describe("a process in a pipe", () => {
  it("prints no control characters, and colours where FORCE_COLOR asks for them", async () => {
    const plain = await runProgram("unfinished", { cwd });
    expect(`${plain.stdout}${plain.stderr}`).not.toContain("\u001B");
    const coloured = await runProgram("failed", { cwd, env: { FORCE_COLOR: "1" } });
    expect(coloured.stderr).toContain("\u001B[31mFAILED");
    expect(coloured.stdout).toContain("\u001B[31mFAILED");
    expect(coloured.stdout).not.toMatch(/\[\?|\[\d+[A-K]/);
  });
});
