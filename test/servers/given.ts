/** Tests that need a server which a whole run shares. */
import { describe, it } from "vitest";
import { askDesk } from "./desk.js";

/**
 * Resolves with undefined once the server is up and this process's environment names it; otherwise with what the
 * machine lacks.
 *
 * @throws If the server does not start though nothing is lacking.
 */
export async function given(name: string): Promise<string | undefined> {
  const desk = process.env.TEST_SERVERS;
  if (desk === undefined) return "the test run has no test/servers/global-setup.ts";
  const answer = await askDesk(desk, name);
  if ("fails" in answer) throw new Error(`The server ${name} does not start: ${answer.fails}`);
  if ("lacks" in answer) return answer.lacks;
  Object.assign(process.env, answer.settings);
  return undefined;
}

/** A block of tests; if something is lacking, it fails in continuous integration, and is skipped elsewhere. */
export function describeUnless(lacks: string | undefined, name: string, body: () => void): void {
  if (lacks === undefined) describe(name, body);
  else if (process.env.CI === undefined) describe.skipIf(lacks)(name, body);
  else {
    describe(name, () => {
      it("has all prerequisites", () => {
        throw new Error(lacks);
      });
    });
  }
}
