import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { read, root } from "./project.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly uses?: string;
  readonly container?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folder = ".github/workflows";
const workflowIn = (name: string): Workflow => parse(read(join(folder, name)));

test.each(readdirSync(join(root, folder)))("an action in %s is another one as soon as its tag is moved", (name) => {
  const steps = Object.values(workflowIn(name).jobs).flatMap((job) => [job, ...(job.steps ?? [])]);
  const used = steps.flatMap(({ uses }) => (uses === undefined || uses.startsWith("./") ? [] : uses));
  expect(used.filter((one) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(one))).toEqual([]);
});

test("packages installed for the tests of a release can request the token that publishes", () => {
  const { permissions, jobs } = workflowIn("release.yml");
  expect(permissions).toEqual({ contents: "read" });
  const asking = Object.entries(jobs).filter(([, job]) => Object.hasOwn(job.permissions ?? {}, "id-token"));
  expect(asking.map(([name]) => name)).toEqual(["publish"]);
  const [, publish] = asking[0] ?? [];
  const runs = (publish?.steps ?? []).flatMap(({ run }) => run ?? []);
  expect(runs).toEqual([expect.stringMatching(/^npm publish \.\/\S+\.tgz .*--ignore-scripts$/)]);
  expect(publish?.steps?.some(({ uses = "" }) => uses.startsWith("actions/checkout"))).toBe(false);
});

test("a release is made in an image that is another one as soon as its tag is moved", () => {
  const images = Object.values(workflowIn("release.yml").jobs).flatMap(({ container }) => container ?? []);
  expect(images.length).toBeGreaterThan(0);
  expect(images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
});
