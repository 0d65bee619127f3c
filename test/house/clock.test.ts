import { expect, test } from "vitest";
import { filesBelow, read } from "./project.ts";

/** They read it for people, and to distinguish this process from others with its pid. */
const ALLOWED = ["platform", "system", "wall-clock"].map((name) => `core/base/machine/${name}.ts`);

const READS_CLOCK = /\bnew Date\b(?!\([^)])|(?<!new )\bDate\(|\bDate\.now\b|\btimeOrigin\b/;

test("the core decides nothing by the wall clock", () => {
  const readers = filesBelow("core", (path) => path.endsWith(".ts")).filter((file) =>
    READS_CLOCK.test(read(file).replaceAll(/\/\*.*?\*\/|\/\/.*$/gms, "")),
  );
  expect(readers.filter((file) => !ALLOWED.includes(file))).toEqual([]);
});
