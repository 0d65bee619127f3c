import { mkdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { Command, type CommandOutput, type CommandProps } from "../../../plugins/resources/index.js";
import { projects } from "./project.ts";

const newProject = projects();
const noting = (what: string) => `echo ${what} >> log`;

describe("Command", () => {
  test("runs on create, on a change and on delete, and not in between", async () => {
    const project = await newProject();
    const program = (command: string) => () => Command("c", { command, delete: noting("deleted") });
    expect((await project.up(program(noting("one")))).summary).toEqual({ created: 1 });
    expect((await project.up(program(noting("one")))).summary).toEqual({ unchanged: 1 });
    expect((await project.up(program(noting("two")))).summary).toEqual({ updated: 1 });
    expect((await project.up(program(noting("two")), { force: true })).summary).toEqual({ updated: 1 });
    expect((await project.up()).summary).toEqual({ deleted: 1 });
    expect(await project.read("log")).toBe("one\ntwo\ntwo\ndeleted\n");
  });

  test("runs its update instead, where it has one", async () => {
    const project = await newProject();
    const program = (inputs: unknown) => () =>
      Command("c", { command: noting("created"), update: noting("updated"), inputs });
    await project.up(program({ version: 1, when: new Date(0) }));
    await project.up(program({ when: new Date(0), version: 1 }));
    await project.up(program({ version: 2, when: new Date(0) }));
    expect(await project.read("log")).toBe("created\nupdated\n");
  });

  test("does not run because of what is only for later", async () => {
    const project = await newProject();
    await project.up(() => Command("c", { command: noting("created") }));
    const program = () => Command("c", { command: noting("created"), update: "false", delete: noting("deleted") });
    expect((await project.up(program)).summary).toEqual({ updated: 1 });
    await project.destroy();
    expect(await project.read("log")).toBe("created\ndeleted\n");
  });

  test("gives what the command wrote, and keeps it", async () => {
    const project = await newProject();
    const outputs: CommandOutput[] = [];
    const program = async () => void outputs.push(await Command("c", { command: "echo 'ä out'; echo err >&2" }));
    await project.up(program);
    await project.up(program);
    await project.up(program, { phase: "read" });
    expect(outputs).toEqual(Array(3).fill({ exitCode: 0, stdout: "ä out\n", stderr: "err\n" }));
  });

  test("a list is run as it is, without a shell", async () => {
    const project = await newProject();
    let output: CommandOutput | undefined;
    const words = ["$HOME", "a b", "'*'", ";", ""];
    const script = "process.stdout.write(JSON.stringify(process.argv.slice(1)))";
    await project.up(async () => {
      output = await Command("c", { command: [process.execPath, "-e", script, ...words] });
    });
    expect(JSON.parse(output?.stdout ?? "")).toEqual(words);
  });

  test("runs in its folder, with its variables beside those of the process", async () => {
    const project = await newProject();
    await mkdir(project.path("sub"));
    let output: CommandOutput | undefined;
    const program = (value: string) => async () => {
      output = await Command("c", { command: 'pwd; echo "$X"; test -n "$PATH"', cwd: "sub", env: { X: value } });
    };
    await project.up(program("a  b"));
    expect(output?.stdout).toBe(`${project.path("sub")}\na  b\n`);
    expect((await project.up(program("c"))).summary).toEqual({ updated: 1 });
  });

  test("needs to be told before it works outside the root folder", async () => {
    const project = await newProject();
    const failures: CommandProps[] = [
      { command: "true", cwd: ".." },
      { command: "true", files: ["../*.txt"] },
    ];
    for (const props of failures) {
      expect((await project.failure(() => Command("c", props))).code).toBe("OUTSIDE_ROOT");
    }
    await project.up(() => Command("c", { command: "true", cwd: "..", outside: true }));
  });
});

describe("Command, when it fails:", () => {
  test("it says how and with which last words, and runs again", async () => {
    const project = await newProject();
    const script = "echo before; seq 1 100 >&2; test -e fixed";
    const { code, message } = await project.failure(() => Command("c", { command: script }));
    expect(code).toBe("COMMAND_FAILED");
    expect(message).toContain("exit code 1");
    expect(message).toContain("\n  81\n");
    expect(message.endsWith("\n  100")).toBe(true);
    expect(message).not.toContain("\n  80\n");
    await project.write("fixed", "");
    expect((await project.up(() => Command("c", { command: script }))).summary).toEqual({ created: 1 });
  });

  test("a program that is not there, and a folder that is not, are named", async () => {
    const project = await newProject();
    const absent = await project.failure(() => Command("c", { command: ["no-such-program", "x"] }));
    expect(absent.code).toBe("COMMAND_FAILED");
    expect(absent.message).toContain("no-such-program");
    const nowhere = await project.failure(() => Command("c", { command: "true", cwd: "nowhere" }));
    expect(nowhere.code).toBe("COMMAND_FAILED");
    expect(nowhere.message).toContain("nowhere");
  });

  test("one that was ended by a signal says by which", async () => {
    const project = await newProject();
    const { message } = await project.failure(() => Command("c", { command: "kill -KILL $$" }));
    expect(message).toContain("SIGKILL");
  });

  test("an update that failed is tried again, with the update", async () => {
    const project = await newProject();
    const program = (inputs: number) => () =>
      Command("c", { command: noting("created"), update: `${noting("updated")}; test -e fixed`, inputs });
    await project.up(program(1));
    await project.failure(program(2));
    await project.write("fixed", "");
    await project.up(program(2));
    expect(await project.read("log")).toBe("created\nupdated\nupdated\n");
  });

  test("what a failed first run has done is undone when it is no longer declared", async () => {
    const project = await newProject();
    const props = { command: `${noting("created")}; false`, delete: noting("deleted") };
    await project.failure(() => Command("c", props));
    await project.failure(() => Command("c", props));
    await project.up();
    expect(await project.read("log")).toBe("created\ncreated\ndeleted\n");
    await project.up();
    expect(await project.read("log")).toBe("created\ncreated\ndeleted\n");
  });

  test("a delete that fails keeps the record, and is tried again", async () => {
    const project = await newProject();
    await project.up(() => Command("c", { command: "true", delete: `${noting("deleted")}; test -e fixed` }));
    expect((await project.failure(() => {})).code).toBe("COMMAND_FAILED");
    await project.write("fixed", "");
    expect((await project.up()).summary).toEqual({ deleted: 1 });
    expect(await project.read("log")).toBe("deleted\ndeleted\n");
  });
});

describe("Command, and what it has started:", () => {
  test.each([
    [
      "a program that is missing",
      { command: ["no-such-program"] },
      'could not be started in "',
      "no-such-program ENOENT",
    ],
    ["a folder that is missing", { command: "true", cwd: "nowhere" }, 'nowhere"', "there is no such folder"],
    ["no command", {}, "A command must be", "not undefined"],
    ["a list without a program", { command: [] }, "A command must be", "not an array"],
  ])("says what is wrong with %s", async (_what, props, first, then) => {
    const project = await newProject();
    const failure = await project.failure(() => Reflect.apply(Command, undefined, ["c", props]));
    expect(failure.message).toContain(first);
    expect(failure.message).toContain(then);
  });
});
