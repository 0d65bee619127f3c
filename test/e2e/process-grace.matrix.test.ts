/** SIGTERM comes right before SIGKILL: the engine does not wait for a handler that ignores it without end. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startProgram } from "../helpers/processes/child-program.ts";
import { stateIn } from "../helpers/stores/state-in.ts";

test("SIGTERM ends a process in 25 s, although a handler never settles, and says which", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "process-"));
  const program = startProgram("interrupted", { cwd, args: ["deaf"] });
  await Promise.all([program.printed("running"), program.printed("deaf")]);
  program.process.kill("SIGTERM");
  const { stderr, ...end } = await program.ended;
  expect(end).toMatchObject({ code: 143, signal: null });
  expect(stderr.split("\n").at(-1)).toBe(
    "received SIGTERM 25 s ago: ending now, without waiting for the running handlers (interrupted/dev/deaf)",
  );
  expect(await stateIn(cwd, "interrupted")).toEqual({ recorded: ["first"], pending: ["deaf"], isOpen: true });
  await rm(cwd, { recursive: true });
});
