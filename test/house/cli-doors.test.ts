/** The `engine` program is a program like others: it does with a recorded state what any can do, through one door. */
import { expect, test } from "vitest";
import { targetOf } from "./import-rules.ts";
import { read, sourceFiles } from "./project.ts";
import { importsOf } from "./source-imports.ts";

/** The doors of core that any file of the program may come by. */
const OPEN = ["core/base/index.ts", "core/contract/index.ts", "core/admin/index.ts"];

/** Those that are for running programs, and the files that do so. */
const FOR_RUNS: Readonly<Record<string, readonly string[]>> = {
  // The app that the program opens, and those like it that look or plan.
  "core/engine/index.ts": [
    "plugins/cli/commands/destroy.ts",
    "plugins/cli/commands/drift.ts",
    "plugins/cli/commands/ui.ts",
    "plugins/cli/drift-lines.ts",
    "plugins/cli/open-stage.ts",
    // What a page shows of a run that is about to begin.
    "plugins/cli/page-beside.ts",
    // A rotation is a run with a plugin of its own.
    "plugins/cli/secrets/rotate.ts",
    "plugins/cli/state/in-state.ts",
  ],
  // The program is told of the app before that opens; a plan of a destroy has a plugin of its own.
  "core/plugin/index.ts": [
    "plugins/cli/commands/destroy.ts",
    "plugins/cli/commands/watched-run.ts",
    "plugins/cli/open-stage.ts",
    "plugins/cli/run-command.ts",
    "plugins/cli/secrets/only-app.ts",
  ],
};

const found = sourceFiles()
  .filter((file) => file.startsWith("plugins/cli/"))
  .flatMap((file) =>
    importsOf(read(file)).flatMap(({ specifier = "" }) => {
      const target = targetOf(file, specifier);
      return target?.startsWith("core/") && !OPEN.includes(target) ? [{ file, target }] : [];
    }),
  );

test("the engine program works on a recorded state through core/admin alone", () => {
  expect(found.filter(({ file, target }) => !FOR_RUNS[target]?.includes(file))).toEqual([]);
});

test("each of the other doors is used by whom it is left to", () => {
  const used = Object.keys(FOR_RUNS).map((door) => [
    door,
    found.flatMap(({ file, target }) => (target === door ? file : [])).sort(),
  ]);
  expect(Object.fromEntries(used)).toEqual(FOR_RUNS);
});
