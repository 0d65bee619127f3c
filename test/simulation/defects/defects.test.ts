import { transform } from "esbuild";
import { describe, expect, test } from "vitest";
import { read } from "../../house/project.ts";
import { seedsFrom } from "../seeds.ts";
import { defects } from "./defects.ts";
import { defective, hunt } from "./hunt.ts";
import { moveDefects } from "./moves.ts";
import { userDefects } from "./users.ts";

const all = [...defects, ...userDefects, ...moveDefects];

/** One of the first histories finds them. */
const OBVIOUS: readonly string[] = [
  "a handler begins before its intent is durable",
  "a delete begins before its intent is durable",
  "a secret is encrypted anew in every run",
];

describe("a planted defect", () => {
  test.each(all)("can be planted: $area: $name", async (defect) => {
    const text = defective(defect);
    expect(text).not.toBe(read(defect.file));
    await expect(transform(text, { loader: "ts" })).resolves.toBeDefined();
  });

  test("has a name of its own, and is small", () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const { find, replace } of all) {
      for (const text of [find, replace]) expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(5);
    }
  });

  test("is found by random histories", async () => {
    const obvious = defects.filter(({ name }) => OBVIOUS.includes(name));
    expect(obvious.length).toBe(OBVIOUS.length);
    for (const defect of obvious) expect(await hunt(defect, seedsFrom(1, 10)), defect.name).toBeDefined();
  });
});
