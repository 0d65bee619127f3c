import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { listProcesses } from "../../../plugins/processes/kept/list.js";
import { Process, type Ready } from "../../../plugins/resources/index.js";
import { isAlive, node, pidIn, server } from "../../helpers/processes/processes.ts";
import { ownTime } from "../../helpers/time/own-time.ts";
import { freePort } from "../../servers/free-port.ts";
import { processProjects, program } from "./process-project.ts";

const newProject = processProjects();
const listening = { ...server, ready: { line: /^listening \d+$/ } };

/** Answers at a port that the system chose before. */
const atPort = (port: number) => node(`require("net").createServer().listen(${port}, "127.0.0.1")`);

describe("Process, ready by a port:", () => {
  test("it waits until the port answers", async () => {
    const project = await newProject();
    const port = await freePort();
    const { run, last } = program({ ...atPort(port), ready: { port } });
    await project.up(run);
    expect(last().port).toBe(port);
    // A restart finds the port free again.
    await project.up(program({ ...atPort(port), env: { A: "1" }, ready: { port } }).run);
  });

  test("another one that answers already is not taken for it", async () => {
    const project = await newProject();
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { code, message } = await project.failure(program({ ...server, ready: { port } }).run);
    expect([code, message]).toEqual([
      "PROCESS_FAILED",
      expect.stringContaining(`answers at localhost:${port} already`),
    ]);
    expect(await listProcesses(project.root)).toEqual([]);
    other.close();
  });
});

describe("Process, when it is not ready:", () => {
  ownTime();

  test("one that ends first says how and with which last words", async () => {
    const project = await newProject();
    const { code, message } = await project.failure(
      program({ ...node(`console.error("no database"); process.exit(3)`), ready: { line: "listening" } }).run,
    );
    expect(code).toBe("PROCESS_FAILED");
    expect(message).toMatch(/ended with exit code 3 before .*\n {2}no database/);
    expect(await listProcesses(project.root)).toEqual([]);
  });

  test("ones that take too long, for a line and for a port, are ended", async () => {
    const project = await newProject();
    const late = (id: string, ready: Ready) =>
      Process(id, {
        command: "sh",
        args: ["-c", `echo $$ > ${id}.pid; echo hello from ${id}; sleep 1000`],
        ready,
        readyTimeout: 1_500,
      });
    const { errors } = await project.run(() =>
      Promise.allSettled([late("p", { line: "never" }), late("q", { port: 1 })]),
    );
    const inVain = (why: string): unknown => expect.stringContaining(`was not ready after 1500 ms: ${why}`);
    expect(errors.map(({ message }) => message).sort()).toEqual([
      inVain("it wrote no line with never. The last lines of its output:\n  hello from p"),
      inVain("nothing answered at localhost:1. The last lines of its output:\n  hello from q"),
    ]);
    const pids = await Promise.all(["p.pid", "q.pid"].map((name) => pidIn(project.path(name))));
    expect(pids.map(isAlive)).toEqual([false, false]);
    // The next run may succeed.
    const { run, last } = program(listening);
    await project.up(run);
    expect(isAlive(last().pid)).toBe(true);
  });

  test("one whose run is interrupted is ended", async () => {
    const project = await newProject();
    const controller = new AbortController();
    const props = { command: "sh", args: ["-c", "echo $$ > pid; sleep 1000"], ready: { line: "never" } };
    const { errors } = await project.run(
      async () => {
        const running = Process("p", props);
        running.catch(() => {});
        await pidIn(project.path("pid"));
        controller.abort();
        await running;
      },
      { signal: controller.signal },
    );
    expect(errors.map(({ code }) => code)).toContain("ABORTED");
    expect(isAlive(await pidIn(project.path("pid")))).toBe(false);
  });

  test.each([
    ["no command", {}],
    ["no list of arguments", { command: "true", args: "x" }],
    ["a port that is none", { command: "true", ready: { port: 0 } }],
    ["a line that is none", { command: "true", ready: { line: "" } }],
    ["a time limit that is none", { command: "true", readyTimeout: 0 }],
  ])("%s is refused", async (_what, props) => {
    const project = await newProject();
    const failure = await project.failure(() => Reflect.apply(Process, undefined, ["p", props]));
    expect(failure.code).toBe("INVALID_PROPS");
  });
});
