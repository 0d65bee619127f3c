/** A process that reports its run to a webhook, and ends at once. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startProgram } from "../helpers/processes/child-program.ts";
import { receiver } from "./webhook-receiver.ts";

/** @param answers of the server; "never": none */
export function tellsBeforeItsEnd(answers: readonly (number | "never")[]): void {
  test.each([...answers])("that ends at once has told it before (answer: %s)", async (status) => {
    const cwd = await mkdtemp(join(tmpdir(), "scope-engine-webhook-"));
    const { url, bodies } = await receiver(200, status, status);
    const env = { URL: url, PATIENT: status === "never" ? "" : "yes" };
    try {
      expect((await startProgram("webhook", { cwd, env }).ended).code).toBe(0);
      const { code, stderr } = await startProgram("webhook", { cwd, env, args: ["--destroy"] }).ended;
      expect(code).toBe(0);
      expect(bodies[1]?.text).toMatch(/: destroy done in .*: 1 deleted$/);
      expect(stderr.includes("did not answer in time")).toBe(status === "never");
      expect(stderr).not.toContain("swordfish");
    } finally {
      await rm(cwd, { recursive: true, force: true });
    }
  });
}
