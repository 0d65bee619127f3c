import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ProgramOptions, type RunningProgram, runProgram, startProgram } from "../helpers/child-program.ts";
import { stateIn } from "../helpers/state-in.ts";

let cwd = "";
let program: RunningProgram | undefined;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "process-"));
});
afterEach(async () => {
  program?.process.kill("SIGKILL");
  await program?.ended;
  await rm(cwd, { recursive: true });
});

type Stream = "stdout" | "stderr";

/** As with `| head`, only that the reader goes before the first line. */
function startUnread(name: string, streams: readonly Stream[], options: Partial<ProgramOptions> = {}): RunningProgram {
  program = startProgram(name, { cwd, ...options });
  for (const stream of streams) program.process[stream]?.destroy();
  return program;
}

describe("a program that ends by an error that nobody catches", () => {
  it.each<[readonly Stream[]]>([[["stderr"]], [["stdout", "stderr"]]])(
    "and that nobody reads (%j) records results, closes the session and exits with 1",
    async (streams) => {
      expect(await startUnread("throwing", streams, { args: ["thrown"] }).ended).toMatchObject({ code: 1 });
      expect(await stateIn(cwd, "throwing")).toEqual({ recorded: ["a"], pending: [], isOpen: false });
    },
  );
});

describe("a run whose lines cannot be printed", () => {
  const done = { recorded: ["a", "b", "c"], pending: [], isOpen: false };
  const listeners = async (): Promise<unknown> => JSON.parse(await readFile(join(cwd, "listeners.json"), "utf8"));

  it.each<[readonly Stream[], readonly string[]]>([
    [["stdout"], []],
    [["stdout"], ["--json"]],
    [["stderr"], []],
    [["stdout", "stderr"], []],
  ])("because nobody reads %j (%j) is done all the same, and leaves no listener", async (streams, args) => {
    const { code, stdout, stderr } = await startUnread("printing", streams, { args }).ended;
    expect(code).toBe(0);
    if (!streams.includes("stdout")) expect(stdout).toContain("printing/dev up done");
    if (!streams.includes("stderr") && args.length === 0) expect(stderr.match(/^.*/gm)).toHaveLength(2);
    expect(await stateIn(cwd, "printing")).toEqual(done);
    expect(await listeners()).toEqual({ left: 0, own: false, heard: 0 });
  });

  it.skipIf(!existsSync("/dev/full"))("because a disk is full is done all the same, and says so once", async () => {
    const { code, stderr } = await runProgram("printing", { cwd, stdoutTo: "/dev/full" });
    expect(stderr.match(/Nothing more is printed on stdout, which cannot be written to: ENOSPC/g)).toHaveLength(1);
    expect(code).toBe(0);
    expect(await stateIn(cwd, "printing")).toEqual(done);
    expect(await listeners()).toEqual({ left: 0, own: false, heard: 0 });
  });

  it("leaves the program's own listener where it is", async () => {
    expect(await startUnread("printing", ["stdout"], { env: { LISTENS: "yes" } }).ended).toMatchObject({ code: 0 });
    expect(await listeners()).toEqual({ left: 0, own: true, heard: 1 });
  });
});
