import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { platform } from "../../../core/base/machine/platform.js";

describe("a list of a folder", () => {
  const { list } = platform().files;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "listing-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (name: string): void => writeFileSync(join(folder, name), "");

  it("is one for all runs that look in the same turn, and holds what was written until then", async () => {
    const first = list(folder);
    write("a");
    const second = list(folder);
    write("b");
    expect(second).toBe(first);
    expect([...(await second)].sort()).toEqual(["a", "b"]);
  });

  it("holds a file that was written while an earlier list was under way", async () => {
    const earlier = list(folder);
    await turn();
    write("a");
    expect(await list(folder)).toEqual(["a"]);
    await earlier;
  });

  it("is empty as long as the folder does not exist", async () => {
    const missing = join(folder, "missing");
    expect(await list(missing)).toEqual([]);
    mkdirSync(missing);
    write("missing/a");
    expect(await list(missing)).toEqual(["a"]);
  });
});
