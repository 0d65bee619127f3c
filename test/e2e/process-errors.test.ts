import { describe, expect, it } from "vitest";
import { fsStore } from "../../adapters/fs/index.js";
import { stageAdmin } from "../../plugins/admin/index.js";
import { runProgram } from "../helpers/processes/child-program.ts";
import { stateIn } from "../helpers/stores/state-in.ts";
import { eventsIn } from "./events-in.ts";
import { cwd, folderEach } from "./own-folder.ts";
import { recordsAndTells, times } from "./records-and-tells.ts";

folderEach();

describe("an uncaught error", () => {
  recordsAndTells([["an exception", "thrown"]]);

  it("of a resource exits with 1, and is reported once, with the program's own line", async () => {
    const { code, stderr } = await runProgram("throwing", { cwd, args: ["resource"] });
    expect(code).toBe(1);
    const lines = stderr.split("\n");
    expect(lines[0]).toBe("FAILED   throwing/dev/b  (e2e:BrokenThing, create): No paper.");
    expect(lines[1]).toMatch(/^ {13}at .*throwing\.child\.js:\d+/);
    // Reported once only: not again by the summary, nor as the uncaught error, nor as a missing finalize() that it has
    // prevented.
    expect(times(stderr, "No paper.")).toBe(1);
    expect(lines.filter((line) => line.includes(" at "))).toHaveLength(1);
    expect(stderr).not.toMatch(/EngineError|NOT_FINALIZED|ABORTED/);
    expect(await stateIn(cwd, "throwing")).toEqual({ recorded: ["a"], pending: ["b"], isOpen: false });
  });

  it("of a resource counts as one failure, and handlers that it aborted as stopped", async () => {
    const json = await runProgram("throwing", { cwd, args: ["--json", "several resources"] });
    expect(json.code).toBe(1);
    const lines = json.stdout.split("\n").filter((line) => line.startsWith("{"));
    const finished = eventsIn(lines.join("\n")).find(({ type }) => type === "run:finished");
    expect(finished).toMatchObject({ ok: false, summary: { created: 1, failed: 1, stopped: 2 } });
    await using admin = stageAdmin(fsStore(), { app: "throwing", stage: "dev", rootDir: cwd });
    expect((await admin.view()).run?.summary).toMatchObject({ failed: 1, stopped: 2 });
  });
});
