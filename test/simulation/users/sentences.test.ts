import { describe, expect, test } from "vitest";
import { filesBelow, read } from "../../house/project.ts";
import { sentences } from "./sentences.ts";

/** They report a fault of the simulation itself, or of a command. */
const OWN = ["command", "crashed", "listeners", "live", "stuck", "unexpected"];

/** A page as its reader sees it. */
function textOf(page: string): string {
  return read(`docs/guide/${page}`)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\*\*|^- |^\d+\. /gm, "")
    .replace(/\s+/g, " ");
}

describe("an oracle of the world of users", () => {
  test.each(Object.entries(sentences))("%s checks a sentence of the guide", (_name, { page, sentence }) => {
    expect(textOf(page)).toContain(sentence);
  });

  test("names its sentence in every violation", () => {
    const files = filesBelow("test/simulation", (path) => /^test\/simulation\/(users\/)?[\w-]+\.ts$/.test(path));
    const named = files.flatMap((file) => [...read(file).matchAll(/`([a-z]+): /g)].map(([, name]) => name));
    expect(new Set(named)).toEqual(new Set([...Object.keys(sentences), ...OWN]));
  });
});
