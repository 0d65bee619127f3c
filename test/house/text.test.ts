import { describe, expect, test } from "vitest";
import { filesBelow, read } from "./project.ts";

interface Ban {
  readonly what: string;
  readonly pattern: RegExp;
  /** Texts that it must find, and texts that it must leave alone. */
  readonly finds: readonly string[];
  readonly leaves: readonly string[];
}

// This file is not searched, for it holds an example of everything that is banned.
const self = "test/house/text.test.ts";

const bans: readonly Ban[] = [
  {
    what: "a path of somebody's machine",
    pattern: /(?<![\w.~-])\/(work|root|Users)\/|(?<![\w.~-])\/home\/(?!(me|user|you|ada)\b)\w/,
    finds: ["see /work/main/core", '"/root/.npmrc"', "file:///work/main", "/Users/jo/app", "/home/jo/app"],
    leaves: ["docs/work/x", "https://example.com/work/", "/home/user/app", "~/work/app", "network/"],
  },
  {
    what: "the host of a package registry",
    pattern:
      /\bregistry\.(npmjs|yarnpkg)\.|\/\/[\w.-]*(registry|artifactory|verdaccio|nexus|npm-proxy)[\w.-]*[:/]|^\s*registry\s*=/im,
    finds: [
      "https://registry.npmjs.org/mitt",
      "http://npm-registry.local:4873/x",
      "registry=http://x",
      "https://corp.artifactory.io/api",
    ],
    leaves: ["https://www.npmjs.com/package/mitt", "the registry of kinds", "core/resource/registry.ts"],
  },
  {
    what: "something left to do without the number of its issue",
    pattern: /\b(TODO|FIXME|XXX|HACK)\b(?!\s?\(?#\d)/,
    finds: ["// TODO: later", "FIXME", "TODO(jo): x"],
    leaves: ["TODO(#12): later", "TODO #12", "todo list"],
  },
  {
    what: "how the text came to be",
    pattern: /\bsession\s+#?\d+\b|\b(as an AI|language model|this brief|the brief)\b/i,
    finds: ["done in session 4", "Session #12", "as an AI"],
    leaves: ["a session opens", "session-4", "in brief"],
  },
];

const isText = (path: string): boolean =>
  /(\.(ts|mts|mjs|js|json|md|yml|yaml|toml|txt|html|css|sh)|(^|\/)(\.[\w-]+|LICENSE|run))$/.test(path);

/** Each line that a ban finds, but package-lock's, whose one worry is a registry's host. */
function findingsIn(file: string, text: string): string[] {
  return bans.flatMap(({ what, pattern }) =>
    text
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} names ${what}: ${line.trim()}`] : [])),
  );
}

describe("the project's text", () => {
  test("names no machine, no registry, no loose end", () => {
    const files = filesBelow("", isText).filter((file) => file !== self);
    expect(files).toContain("package.json");
    expect(files.flatMap((file) => findingsIn(file, read(file)))).toEqual([]);
  });
});

describe("the check", () => {
  test.each(bans)("finds $what", ({ finds }) => {
    expect(finds.filter((text) => findingsIn("x.md", text).length === 0)).toEqual([]);
  });

  test.each(bans)("finds no more than $what", ({ leaves }) => {
    expect(leaves.flatMap((text) => findingsIn("x.md", text))).toEqual([]);
  });
});
