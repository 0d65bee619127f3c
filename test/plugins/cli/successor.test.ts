import { expect, it } from "vitest";
import { successor } from "../../../plugins/cli/run-command.js";
import { compiledProgram } from "../../helpers/processes/compiled-program.ts";

const program = compiledProgram(new URL("successor.child.ts", import.meta.url));

it.each([
  ["SIGINT", 42],
  ["SIGTERM", 43],
] as const)(
  "on Windows the program that runs again gets %s by a message, and ends as it wants to",
  async (signal, code) => {
    const again = successor([program], "win32");
    const ended = again.start();
    // It does not listen yet: the signal waits until it does.
    again.signal(signal);
    expect(await ended).toBe(code);
  },
);
