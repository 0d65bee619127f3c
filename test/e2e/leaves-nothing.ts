/** No timer, handle or listener of a run outlives its `finalize()`. */
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { runProgram } from "../helpers/processes/child-program.ts";
import { testServers } from "../helpers/stores/test-servers.ts";
import { cwd } from "./own-folder.ts";

const OF_A_RUN = /Timeout|Immediate|TCP|TLS|FS|File|GetAddrInfo|Process/;
const OF_THE_PROCESS = ["SIGINT", "SIGTERM", "uncaughtException", "beforeExit"];

export function leavesNothing(store: string): void {
  it("of a run that is fine, one that fails, or one that destroys all", { timeout: 120_000 }, async () => {
    const args = [store, `leftovers/${randomUUID()}`, "--quiet"];
    const { stdout, stderr } = await runProgram("leftovers", { cwd, args, env: testServers(process.env) });
    const told = stdout.split("\n").filter((line) => line.startsWith("{"));
    expect([told.length, told.length === 3 ? "" : stderr]).toEqual([3, ""]);
    for (const { kind, before, during, after } of told.map((line) => JSON.parse(line))) {
      expect({ kind, ...after }).toEqual({ kind, ...before });
      expect(before.resources.filter((name: string) => OF_A_RUN.test(name))).toEqual([]);
      // The run had listeners to remove.
      expect(OF_THE_PROCESS.map((name) => [during.listeners[name], before.listeners[name] ?? 0])).toEqual(
        OF_THE_PROCESS.map(() => [1, 0]),
      );
    }
  });
}
