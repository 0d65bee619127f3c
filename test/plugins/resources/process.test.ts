import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { Secret } from "../../../plugins/index.js";
import { listProcesses } from "../../../plugins/processes/kept/list.js";
import { writeRecord } from "../../../plugins/processes/kept/record.js";
import { Process, type ProcessOutput } from "../../../plugins/resources/index.js";
import { isAlive, pidIn, server } from "../../helpers/processes/processes.ts";
import { until } from "../../helpers/time/until.ts";
import { processProjects, program } from "./process-project.ts";

const newProject = processProjects();
const listening = { ...server, ready: { line: /^listening \d+$/ } };

describe("Process", () => {
  test("runs from its create to its delete, from run to run", async () => {
    const project = await newProject();
    const { run, last, seen } = program(listening);
    expect((await project.up(run)).summary).toEqual({ created: 1 });
    const { pid, log, line } = last();
    expect(isAlive(pid)).toBe(true);
    expect(line).toBe(`listening ${pid}`);
    expect(await project.read(log)).toBe(`listening ${pid}\n`);
    expect(await project.mode(log)).toBe(0o600);
    expect((await project.up(run)).summary).toEqual({ unchanged: 1 });
    expect(seen[1]).toEqual(seen[0]);
    expect((await project.up()).summary).toEqual({ deleted: 1 });
    expect(isAlive(pid)).toBe(false);
    await expect(project.read(log)).rejects.toThrow("ENOENT");
    expect(await listProcesses(project.root)).toEqual([]);
  });

  test("is destroyed with its stage, with all that it has started", async () => {
    const project = await newProject();
    const script = "sleep 1000 & echo $! > left; echo ready; wait";
    const { run, last } = program({ command: "sh", args: ["-c", script], ready: { line: "ready" } });
    await project.up(run);
    const left = await pidIn(project.path("left"));
    await project.destroy();
    expect([isAlive(last().pid), isAlive(left)]).toEqual([false, false]);
  });

  test("that has died is noticed by the next up, and started again", async () => {
    const project = await newProject();
    const { run, last } = program(listening);
    await project.up(run);
    const { pid } = last();
    process.kill(pid, "SIGKILL");
    await until(() => !isAlive(pid));
    await project.up(run);
    expect(last().pid).not.toBe(pid);
    expect(isAlive(last().pid)).toBe(true);
  });

  test.each([
    ["runs on another machine", { machine: "another", host: "elsewhere" }, 'Run the same command on "elsewhere".'],
    ["cannot be seen", { boot: undefined, started: undefined }, "cannot find out whether the process"],
  ])("that %s is not deleted, and the error says how to end it", async (_what, change, advice) => {
    const project = await newProject();
    const { run, last } = program(listening);
    await project.up(run);
    const [{ recordPath } = { recordPath: "" }] = await listProcesses(project.root);
    const { mac: _mac, ...record } = JSON.parse(await readFile(recordPath, "utf8"));
    writeRecord(recordPath, { ...record, process: { ...record.process, ...change } });
    await expect(project.up()).rejects.toMatchObject({ message: expect.stringContaining(advice) });
    expect(isAlive(last().pid)).toBe(true);
    process.kill(last().pid, "SIGKILL");
  });

  test.each([
    ["its arguments", { args: [...server.args, "more"] }, {}],
    ["its environment", { env: { A: "1" } }, {}],
    ["nothing, but by force", {}, { force: true }],
  ])("is restarted by a change of %s", async (_what, change, options) => {
    const project = await newProject();
    const before = program(listening);
    const after = program({ ...listening, ...change });
    await project.up(before.run);
    expect((await project.up(after.run, options)).summary).toEqual({ updated: 1 });
    expect(after.last().pid).not.toBe(before.last().pid);
    expect([isAlive(before.last().pid), isAlive(after.last().pid)]).toEqual([false, true]);
  });

  test("is not restarted by a change of what it is ready by", async () => {
    const project = await newProject();
    const before = program(listening);
    const after = program({ ...server, ready: { line: "listening" } });
    await project.up(before.run);
    expect((await project.up(after.run)).summary).toEqual({ updated: 1 });
    expect(after.last().pid).toBe(before.last().pid);
  });

  test("keeps its process under another name", async () => {
    const project = await newProject();
    const { run, last } = program(listening);
    await project.up(run);
    let renamed: ProcessOutput | undefined;
    await project.up(async () => {
      renamed = await Process("q", listening, { aliases: ["p"] });
    });
    expect(renamed?.pid).toBe(last().pid);
    await project.up();
    expect(isAlive(last().pid)).toBe(false);
  });

  test("shows no secret in the arguments that its record has", async () => {
    const project = await newProject();
    const token = new Secret("battery-staple-horse");
    const { run } = program({ ...server, args: [...server.args, `--token=${token.unencrypted}`] });
    await project.up(run);
    const [record] = await listProcesses(project.root);
    expect(record?.commandLine.at(-1)).toBe("--token=***");
    expect(await readFile(record?.recordPath ?? "", "utf8")).not.toContain("battery-staple");
  });

  test("needs to be told before it runs outside the root folder", async () => {
    const project = await newProject();
    expect((await project.failure(program({ command: "true", cwd: ".." }).run)).code).toBe("OUTSIDE_ROOT");
    await project.up(program({ ...server, cwd: "..", outside: true }).run);
  });

  test("without ready that dies at once counts as created", async () => {
    const project = await newProject();
    const failure = await project.failure(program({ command: "sh", args: ["-c", "echo no license; exit 3"] }).run);
    expect(failure).toMatchObject({
      code: "PROCESS_FAILED",
      message: expect.stringMatching(
        /ended with exit code 3 before it had run for a second\. The last lines of its output:\n {2}no license/,
      ),
    });
    expect(await listProcesses(project.root)).toEqual([]);
  });

  test("gives in a plan the port that it will have", async () => {
    const project = await newProject();
    const ports: unknown[] = [];
    const { engine } = await import("../../../plugins/index.js");
    const plan = await engine.plan("t", project.options, async () => {
      ports.push((await Process("p", { ...server, ready: { port: 7000 } })).port);
    });
    expect(ports).toEqual([7000]);
    expect(plan.counts.create).toBe(1);
    expect(await listProcesses(project.root)).toEqual([]);
  });
});
