/** No program that the engine starts gets the passwords and keys of stages unless the user passes them. */
import { describe, expect, test } from "vitest";
import { read, sourceFiles } from "./project.ts";

/** They start the same program again, for the same person. */
const OURSELVES = ["plugins/cli/run-command.ts", "plugins/cli/watch/watched-run.ts", "plugins/ui/sources/looks.ts"];

/** Files that can start programs: they import more than types. */
const starting = sourceFiles().filter((file) =>
  /^import \{.*\b(?:spawn|fork|exec\w*)\b.*\} from "node:child_process"|getBuiltinModule\("node:child_process"\)/m.test(
    read(file),
  ),
);

describe("a program that the engine starts", () => {
  test.each(starting.filter((file) => !OURSELVES.includes(file)))("gets its environment from one place: %s", (file) => {
    expect(read(file)).toMatch(/\benv(?:: | = )(?:childEnvironment|bareEnvironment)\(/);
  });

  test("is started in known places, of which these start ourselves", () => {
    expect(starting).toEqual(
      expect.arrayContaining([
        ...OURSELVES,
        "plugins/processes/kept/ensure-running.ts",
        "plugins/processes/run/run-child.ts",
      ]),
    );
  });
});
