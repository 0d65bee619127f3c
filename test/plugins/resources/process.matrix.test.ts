import { rm, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { Secret } from "../../../plugins/index.js";
import { listProcesses } from "../../../plugins/processes/kept/list.js";
import { allRecords, resourceRecordOf } from "../../../plugins/processes/process-paths.js";
import { isAlive, node, server } from "../../helpers/processes/processes.ts";
import { processProjects, program } from "./process-project.ts";

const newProject = processProjects();
const listening = { ...server, ready: { line: /^listening \d+$/ } };

describe("Process", () => {
  test("whose pid belongs to another process by now is gone, and that one is left alone", async () => {
    const project = await newProject();
    const { run, last } = program(listening);
    await project.up(run);
    const [record] = await listProcesses(project.root);
    const { pid } = last();
    if (!record) throw new Error("Nothing is recorded.");
    // As if the same pid had been given to a process with another start time.
    const { recordPath, ...rest } = record;
    await writeFile(recordPath, JSON.stringify({ ...rest, process: { ...record.process, started: "1" } }));
    await project.up(run);
    expect(last().pid).not.toBe(pid);
    expect(isAlive(pid)).toBe(true);
    process.kill(pid, "SIGKILL");
  });

  test("gets its secrets as they are, and does not show them", async () => {
    const project = await newProject();
    const token = new Secret("correct-horse-battery");
    const { run, last } = program({
      ...node(`console.log("token " + process.env.TOKEN); setInterval(() => {}, 1000)`),
      env: { TOKEN: token },
      ready: { line: "token correct-horse-battery" },
    });
    await project.up(run, { password: "p" });
    expect(last().line).toBe("token ***");
    const [record] = await listProcesses(project.root);
    expect(JSON.stringify(record)).not.toContain("correct-horse");
  });
});

test("a process whose record is gone is started again", async () => {
  const project = await newProject();
  const { run, last } = program(listening);
  await project.up(run);
  const { pid } = last();
  await rm(allRecords(project.root), { recursive: true });
  await project.up(run);
  expect(last().pid).not.toBe(pid);
  process.kill(pid, "SIGKILL");
  expect(resourceRecordOf({ rootDir: "/r", app: "a", stage: "s", path: "x", id: "p" }, "u")).toBe(
    "/r/.engine/processes/a/s/u.resource.json",
  );
});
