/** Tests that need a server which a whole run shares. */
import { describe, it } from "vitest";
import { askDesk } from "./desk.js";

/**
 * Resolves once the server is up and this process's environment tells where; else with what the machine lacks.
 *
 * @throws When the server does not start though nothing is lacking.
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

/** A block of tests; where something is lacking it fails in continuous integration, and is skipped elsewhere. */
export function describeUnless(lacks: string | undefined, name: string, body: () => void): void {
  if (lacks === undefined) describe(name, body);
  else if (process.env.CI === undefined) describe.skipIf(lacks)(name, body);
  else {
    describe(name, () => {
      it("has what it needs", () => {
        throw new Error(lacks);
      });
    });
  }
}
