import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ProgramOptions, type RunningProgram, startProgram } from "../helpers/child-program.ts";
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
