import { expect, test } from "vitest";
import { filesBelow, read } from "./project.ts";

const LONGEST = 300;

test(`no file has more than ${LONGEST} lines`, () => {
  const files = ["core", "plugins", "adapters", "test", "docs/examples", "docs/tables"].flatMap((folder) =>
    filesBelow(folder, (path) => /\.(ts|tsx|mts|mjs|js)$/.test(path)),
  );
  const linesOf = (file: string): number => read(file).trimEnd().split("\n").length;
  expect(files.filter((file) => linesOf(file) > LONGEST)).toEqual([]);
});
