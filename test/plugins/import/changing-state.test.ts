/** A source that another program writes while it is read. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sourceText } from "../../../plugins/cli/import/source-text.js";
import { compiledProgram } from "../../helpers/processes/compiled-program.ts";

const SIZE = 2 ** 22;

let folder: string;
let writer: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "changing-"));
});
afterEach(async () => {
  if (writer?.connected) {
    const gone = once(writer, "exit");
    writer.disconnect();
    await gone;
  }
  await rm(folder, { recursive: true });
});

test("a state that another program writes while it is read is never half of an old and half of a new one", async () => {
  const path = join(folder, "terraform.tfstate");
  const progress = `${path}.progress`;
  for (const name of [path, progress]) await writeFile(name, "");
  writer = fork(compiledProgram(new URL("changing-state.child.ts", import.meta.url)), [path, String(SIZE)]);
  await once(writer, "message");
  const read = () => sourceText(path, { profile: undefined, isList: false });
  let refusals = 0;
  for (let round = 0; round < 3; round++) {
    const before = await readFile(progress, "utf8");
    try {
      const { text = "" } = await read();
      // The system may have stopped the writer in the middle of the file.
      const isStopped = (await readFile(progress, "utf8")) === before;
      expect(isStopped || text === "a".repeat(SIZE) || text === "b".repeat(SIZE)).toBe(true);
    } catch (error) {
      expect(error).toMatchObject({
        code: "IMPORT_REFUSED",
        message: expect.stringContaining("was changed while it was read. Wait until the other program is done"),
      });
      refusals++;
    }
  }
  expect(refusals).toBeGreaterThan(0);
  const gone = once(writer, "exit");
  writer.kill();
  await gone;
  expect((await read()).text).toHaveLength(SIZE);
}, 60_000);
