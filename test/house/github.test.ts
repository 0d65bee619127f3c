import { existsSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { filesBelow, read, root } from "./project.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly "runs-on"?: string;
  readonly "timeout-minutes"?: number;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly name?: string;
  readonly on?: unknown;
  readonly permissions?: unknown;
  readonly jobs?: Readonly<Record<string, Job>>;
}

interface Form {
  readonly name?: string;
  readonly description?: string;
  readonly body?: readonly {
    readonly type: string;
    readonly id?: string;
    readonly attributes?: { readonly label?: string };
  }[];
}

const { scripts }: { scripts: Record<string, string> } = JSON.parse(read("package.json"));
const yaml = filesBelow(".github", (path) => /\.ya?ml$/.test(path));
const workflows = yaml.filter((path) => path.includes("/workflows/"));
const forms = yaml.filter((path) => path.includes("/ISSUE_TEMPLATE/") && !path.endsWith("/config.yml"));
const pages = [
  "README.md",
  ...["docs/guide", "docs/decisions", "docs/internals", ".github"].flatMap((folder) =>
    filesBelow(folder, (path) => path.endsWith(".md")),
  ),
];

/** The names of npm's scripts that a text tells people, or a machine, to run. */
function scriptsIn(text: string): string[] {
  const run = [...text.matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, name = ""]) => name);
  return /\bnpm test\b/.test(text) ? [...run, "test"] : run;
}

/** Links to files that are not there, and headings that a page does not have. */
function brokenLinks(page: string, text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)#\s]*)(?:#[^)\s]*)?\)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => {
    if (target === "" || /^[a-z]+:/.test(target)) return false;
    return !existsSync(root + posix.join(posix.dirname(page), target));
  });
}

function parsed<T>(path: string): T {
  return parse(read(path), { strict: true, uniqueKeys: true });
}

describe("the workflows", () => {
  test("are there", () => {
    expect(workflows.map((path) => posix.basename(path))).toEqual([
      "ci.yml",
      "docs.yml",
      "long.yml",
      "release.yml",
      "systems.yml",
    ]);
  });

  test.each(workflows)("%s says when it runs, what it may, and on what", (path) => {
    const { name, on, permissions, jobs = {} } = parsed<Workflow>(path);
    expect({ name, on, permissions }).toEqual({
      name: expect.any(String),
      on: expect.anything(),
      permissions: expect.objectContaining({ contents: "read" }),
    });
    expect(Object.keys(jobs)).not.toEqual([]);
    for (const job of Object.values(jobs)) {
      const systems = job["runs-on"] === `\${{ matrix.os }}` ? (job.strategy?.matrix.os ?? []) : [job["runs-on"]];
      expect(["ubuntu-latest", "macos-latest", "windows-latest"]).toEqual(expect.arrayContaining([...systems]));
      expect(systems).toContain("ubuntu-latest");
      for (const { uses, run } of job.steps ?? []) {
        expect([uses, run].filter((one) => one !== undefined)).toHaveLength(1);
        if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
      }
    }
  });

  test("run what continuous integration runs everywhere, on every Node that is supported", () => {
    const job = parsed<Workflow>(".github/workflows/ci.yml").jobs?.test;
    expect(job?.strategy?.matrix.node).toEqual([20, 22, 24]);
    expect(job?.steps?.flatMap(({ run }) => run ?? [])).toEqual(["bash .ci/run"]);
  });

  test("run what needs no servers on every system, on every Node that is supported", () => {
    const job = parsed<Workflow>(".github/workflows/systems.yml").jobs?.test;
    expect(job?.strategy?.matrix).toEqual({
      os: ["ubuntu-latest", "macos-latest", "windows-latest"],
      node: [20, 22, 24],
    });
    expect(job?.steps?.flatMap(({ run }) => run ?? [])).toEqual([
      "npm ci",
      ...["lint", "types", "build", "test:pure", "test:installed"].map((script) => `npm run ${script}`),
    ]);
  });

  test("publish what was tagged, with a proof of where it comes from", () => {
    const commands = parsed<Workflow>(".github/workflows/release.yml").jobs?.publish?.steps?.map(({ run }) => run);
    expect(commands?.at(-1)).toContain("npm publish --provenance");
    expect(scripts.prepublishOnly).toBe("npm run test:all");
  });

  test("name scripts that exist, those of their matrices included", () => {
    const named = workflows.flatMap((path) => {
      const jobs = Object.values(parsed<Workflow>(path).jobs ?? {});
      return [...scriptsIn(read(path)), ...jobs.flatMap(({ strategy }) => strategy?.matrix.script ?? [])];
    });
    expect(named.length).toBeGreaterThanOrEqual(5);
    expect(named.filter((name) => scripts[String(name)] === undefined)).toEqual([]);
  });
});

describe("the forms for issues", () => {
  test.each(forms)("%s can be shown by GitHub", (path) => {
    const { name, description, body = [] } = parsed<Form>(path);
    expect({ name, description }).toEqual({ name: expect.any(String), description: expect.any(String) });
    const fields = body.filter(({ type }) => type !== "markdown");
    expect(fields.filter(({ id, attributes }) => !/^[\w-]+$/.test(id ?? "") || !attributes?.label)).toEqual([]);
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
    for (const { type } of body) expect(["markdown", "textarea", "input", "dropdown", "checkboxes"]).toContain(type);
  });

  test("ask for what one needs to know about a fault", () => {
    const text = read(".github/ISSUE_TEMPLATE/bug.yml");
    for (const asked of ["engine --version", "engine state verify", "Where is the state?"])
      expect(text).toContain(asked);
  });
});

describe("the pages", () => {
  test.each(pages)("%s names scripts and files that exist", (page) => {
    const text = read(page);
    expect(scriptsIn(text).filter((name) => scripts[name] === undefined)).toEqual([]);
    expect(brokenLinks(page, text)).toEqual([]);
  });

  test("for contributors name folders and files of the project", () => {
    const text = read(".github/CONTRIBUTING.md");
    const paths = [...text.matchAll(/`((?:core|plugins|adapters|docs|test)\/[\w./-]*)`/g)].map(([, path = ""]) => path);
    const named = paths.filter((path) => !path.includes("NAME"));
    expect(named.length).toBeGreaterThanOrEqual(20);
    expect(named.filter((path) => !existsSync(root + path))).toEqual([]);
  });
});

describe("every .yml file", () => {
  test.each(yaml)("%s is YAML", (path) => {
    expect(typeof parsed(path)).toBe("object");
  });
});

describe("the check", () => {
  test("finds scripts", () => {
    expect(scriptsIn("`npm run test:long`, npm run --silent build:code; npm test")).toEqual([
      "test:long",
      "build:code",
      "test",
    ]);
  });

  test("finds links that lead nowhere", () => {
    const text = "[a](guide/state.md#x) [b](nowhere.md) [c](https://example.com) [d](#here)";
    expect(brokenLinks("docs/x.md", text)).toEqual(["nowhere.md"]);
  });
});

test("each action is one commit, whatever becomes of its tag, and says which version that was", () => {
  const uses = yaml.flatMap((path) => read(path).match(/uses: .*/g) ?? []);
  expect(uses.length).toBeGreaterThan(5);
  expect(uses.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});
