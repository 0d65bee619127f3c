/** The end of a program with an uncaught error. */
import { expect, it } from "vitest";
import { runProgram } from "../helpers/processes/child-program.ts";
import { stateIn } from "../helpers/stores/state-in.ts";
import { cwd } from "./own-folder.ts";

const password = "correct-horse-battery";
export const times = (text: string, part: string): number => text.split(part).length - 1;

/** @param ways the thrown value, and the mode of the program that throws it */
export function recordsAndTells(ways: readonly (readonly [what: string, mode: string])[]): void {
  it.each([...ways])(
    "%s records results, closes the session, tells its message once and exits with 1",
    async (_what, mode) => {
      const { code, stdout, stderr } = await runProgram("throwing", {
        cwd,
        args: [mode],
        env: { ENGINE_PASSWORD: password },
      });
      expect(code).toBe(1);
      expect(times(stderr, "The program is broken.")).toBe(1);
      expect(stderr).toMatch(
        /^error {4}Error: The program is broken\.\n {13}at .*throwing\.child\.js:\d+:\d+\S*(?!\n +at )/,
      );
      expect(`${stdout}${stderr}`).not.toContain(password);
      expect(stdout).toContain("cleaned");
      expect(await stateIn(cwd, "throwing")).toEqual({ recorded: ["a"], pending: [], isOpen: false });
    },
  );
}
