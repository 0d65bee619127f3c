import { expect, test } from "vitest";
import { masked } from "./words.ts";

test.each([" ", "\n         "])("what differs from run to run is masked wherever its line ends (%j)", (space) => {
  const words =
    "resuming after ada@laptop (process 4194303), interrupted; at work since 2026-11-26T21:35:43.109Z".split(" ");
  for (const at of words.keys()) {
    const text = [words.slice(0, at).join(" "), words.slice(at).join(" ")].filter(Boolean).join(space);
    expect(masked(text)).toBe("resuming after ada@laptop");
  }
  expect(masked("done in 1.2 s, name-0a1b2c3d-dev")).toBe("done in …, name-…-dev");
});
