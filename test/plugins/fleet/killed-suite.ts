/** A conductor that is killed, and the next one, which continues. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { fsStoreAt } from "../../../adapters/fs/index.js";
import { FleetRecord } from "../../../plugins/fleet/record.js";
import { KEYS } from "../../helpers/apps/under-key.js";
import { compiledProgram } from "../../helpers/processes/compiled-program.ts";
import { newFolder } from "../../helpers/processes/new-folder.js";
import { killedFleet } from "./killed-fleet.js";

const run = promisify(execFile);

function linesOf(folder: string): readonly string[] {
  try {
    return readFileSync(join(folder, "runs.txt"), "utf8").trim().split("\n");
  } catch (error) {
    if (Object(error).code === "ENOENT") return [];
    throw error;
  }
}

/** @param kills writes at which the first conductor is killed; it makes about five for each stage */
export function conductorsAreKilled(count: number, kills: readonly number[]): void {
  describe(`the conductor of ${count} stages is killed`, () => {
    test.each(kills)(
      "at its write %i: the next up finishes all stages, and repeats none that is recorded",
      async (kill) => {
        const folder = await newFolder();
        const program = compiledProgram(new URL("killed.child.ts", import.meta.url));
        const order = JSON.stringify({ folder, count, kill });
        const ended: { signal?: string } = await run(process.execPath, [program, order]).then(
          () => ({}),
          (error: unknown) => Object(error),
        );
        expect(ended.signal).toBe("SIGKILL");

        const store = fsStoreAt(join(folder, "state"));
        const record = await FleetRecord.read("killed", { stateStore: store, key: KEYS[0] });
        const recorded = [...record.stages()].map(([stage]) => stage);
        const first = record.run;
        await record.close();
        const before = linesOf(folder);
        const changed = ["t0", "t1"];
        const next = killedFleet({ folder, count, kill: 0, changed });
        const status = await next.status();
        if (first) expect(status).toMatchObject({ state: "interrupted", run: first.id });
        else expect(status).toBeUndefined();

        const report = await next.up();
        expect(report).toMatchObject({ state: "done", failures: [], stages: { total: count, running: 0 } });
        if (first) expect(report.run).toBe(first.id);
        expect(report.stages.changed + report.stages.unchanged).toBe(count);
        const repeated = [...changed, "t7"];
        const due = Array.from({ length: count }, (_, index) => `t${index}`).filter(
          (stage) => !recorded.includes(stage) || repeated.includes(stage),
        );
        expect(linesOf(folder).slice(before.length).toSorted()).toEqual(due.toSorted());
        expect(readdirSync(join(folder, "there"))).toHaveLength(count);
        for (const stage of changed) expect(readFileSync(join(folder, "there", stage), "utf8")).toBe("new");
        expect(await next.status()).toMatchObject({ state: "done", stages: report.stages });
      },
    );
  });
}
