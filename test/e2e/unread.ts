/** A program whose standard output or error has no reader. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { type ProgramOptions, type RunningProgram, startProgram } from "../helpers/processes/child-program.ts";
import { stateIn } from "../helpers/stores/state-in.ts";
import { cwd, folderEach } from "./own-folder.ts";

let program: RunningProgram | undefined;

/** Gives each test a folder; its program ends with it. */
export function unreadEach(): void {
  folderEach();
  afterEach(async () => {
    program?.process.kill("SIGKILL");
    await program?.ended;
  });
}

export type Stream = "stdout" | "stderr";

/** As with `| head`, but the reader ends before the first line. */
export function startUnread(
  name: string,
  streams: readonly Stream[],
  options: Partial<ProgramOptions> = {},
): RunningProgram {
  program = startProgram(name, { cwd, ...options });
  for (const stream of streams) program.process[stream]?.destroy();
  return program;
}

/** The state of a complete run. */
export const done = { recorded: ["a", "b", "c"], pending: [], isOpen: false };
/** The listeners that the run has left, and the events that the program has received. */
export const listeners = async (): Promise<unknown> => JSON.parse(await readFile(join(cwd, "listeners.json"), "utf8"));

/** @param unread streams without a reader, and the program's arguments */
export function isDoneUnread(
  unread: readonly (readonly [streams: readonly Stream[], args: readonly string[]])[],
): void {
  it.each([...unread])("without a reader of %j (%j) is still done, and leaves no listener", async (streams, args) => {
    const { code, stdout, stderr } = await startUnread("printing", streams, { args }).ended;
    expect(code).toBe(0);
    if (!streams.includes("stdout")) expect(stdout).toContain("printing/dev up done");
    if (!streams.includes("stderr") && args.length === 0) expect(stderr.match(/^.*/gm)).toHaveLength(2);
    expect(await stateIn(cwd, "printing")).toEqual(done);
    expect(await listeners()).toEqual({ left: 0, own: false, heard: 0 });
  });
}
