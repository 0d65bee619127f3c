import { expect, test } from "vitest";
import { filesBelow, read } from "./project.ts";

interface Ban {
  readonly what: string;
  readonly pattern: RegExp;
}

// This file holds the patterns.
const self = "test/house/text.test.ts";

const bans: readonly Ban[] = [
  {
    what: "a path of somebody's machine",
    pattern: /(?<![\w.~-])\/(work|root|Users)\/|(?<![\w.~-])\/home\/(?!(me|user|you|ada)\b)\w/,
  },
  {
    what: "the host of a package registry",
    pattern:
      /\bregistry\.(npmjs|yarnpkg)\.|\/\/[\w.-]*(registry|artifactory|verdaccio|nexus|npm-proxy)[\w.-]*[:/]|^\s*registry\s*=/im,
  },
  {
    what: "something left to do without the number of its issue",
    pattern: /\b(TODO|FIXME|XXX|HACK)\b(?!\s?\(?#\d)/,
  },
  {
    what: "how the text came to be",
    pattern: /\bsession\s+#?\d+\b|\b(as an AI|language model|this brief|the brief)\b/i,
  },
];

const isText = (path: string): boolean =>
  /(\.(ts|mts|mjs|js|json|md|yml|yaml|toml|txt|html|css|sh)|(^|\/)(\.[\w-]+|LICENSE|run))$/.test(path);

/** Each line that a ban matches; in package-lock.json only the host of a registry matters. */
function findingsIn(file: string, text: string): string[] {
  return bans.flatMap(({ what, pattern }) =>
    text
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} names ${what}: ${line.trim()}`] : [])),
  );
}

test("the project's text names no machine, no registry, no loose end", () => {
  // In a worktree, `.git` is a file with the path of the repository.
  const files = filesBelow("", isText).filter((file) => file !== self && file !== ".git");
  expect(files).toContain("package.json");
  expect(files.flatMap((file) => findingsIn(file, read(file)))).toEqual([]);
});
