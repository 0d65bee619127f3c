/**
 * Makes a release: `npm run release -- patch|minor|major|x.y.z [--dry-run] [--publish]`. Everything happens in a clone;
 * the commit and its tag come to the project in the end, in one step, or not at all.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { released } from "./changelog.js";
import { execute, git } from "./execute.js";
import { provePackage } from "./prove.js";
import { Refusal } from "./refusal.js";
import { checkRequirements } from "./requirements.js";

export interface ReleaseContext {
  readonly root: string;
  /** As it is to stand in the changelog: `2026-01-31`. */
  readonly today: string;
  say(line: string): void;
}

/** @throws Refusal, or what a step failed with; the project is as it was then */
export async function release(args: readonly string[], { root, today, say }: ReleaseContext): Promise<void> {
  const unknown = args.filter((arg) => arg.startsWith("-") && !["--dry-run", "--publish"].includes(arg));
  if (unknown.length > 0) {
    throw new Refusal(`${unknown.join(", ")}: there is no such option. What is released is tested, always.`);
  }
  const [wanted, ...more] = args.filter((arg) => !arg.startsWith("-"));
  if (wanted === undefined || more.length > 0) {
    throw new Refusal("Say which version to release: patch, minor, major, or a version such as 1.2.3.");
  }
  const [dry, publish] = [args.includes("--dry-run"), args.includes("--publish")];
  const version = await checkRequirements({ root, wanted, publish });
  const folder = await mkdtemp(join(tmpdir(), "scope-engine-release-"));
  try {
    const clone = join(folder, "clone");
    await git(root, "clone", "--quiet", "--no-hardlinks", root, clone);
    await writeVersion(clone, version, today);
    say(`v${version}: installs and tests a clean clone`);
    await execute(clone, "npm", "ci");
    await execute(clone, "npm", "run", "--silent", "test:all");
    say(`v${version}: packs, installs and tries the package`);
    await provePackage(clone, folder, version);
    if (dry) return say(`v${version} could be released. Nothing was changed.`);
    await commit(root, clone, version);
    if (publish) await push(root, clone, version);
    await adopt(root, clone, version);
    say(publish ? `v${version} is pushed; the workflow publishes it.` : notPushed(version));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function notPushed(version: string): string {
  return `v${version} is committed and tagged here. Publish it by: git push --atomic origin main v${version}`;
}

async function writeVersion(clone: string, version: string, today: string): Promise<void> {
  await execute(clone, "npm", "version", "--no-git-tag-version", "--ignore-scripts", version);
  const path = join(clone, "CHANGELOG.md");
  await writeFile(path, released(await readFile(path, "utf8"), version, today));
}

async function commit(root: string, clone: string, version: string): Promise<void> {
  for (const key of ["user.name", "user.email"]) await git(clone, "config", key, await git(root, "config", key));
  await git(clone, "commit", "--quiet", "--message", `release: ${version}`, "--", ...changedFiles);
  await git(clone, "tag", "--annotate", `v${version}`, "--message", `v${version}`);
}

const changedFiles = ["package.json", "package-lock.json", "CHANGELOG.md"];

/** From the clone, so that a push that is refused leaves nothing behind here. */
async function push(root: string, clone: string, version: string): Promise<void> {
  const url = await git(root, "remote", "get-url", "--push", "origin");
  await git(clone, "push", "--quiet", "--atomic", url, "HEAD:refs/heads/main", `refs/tags/v${version}`);
}

async function adopt(root: string, clone: string, version: string): Promise<void> {
  const tag = `refs/tags/v${version}`;
  await git(root, "fetch", "--quiet", "--no-tags", clone, `${tag}:${tag}`);
  try {
    await git(root, "merge", "--quiet", "--ff-only", tag);
  } catch (error) {
    await git(root, "tag", "--delete", `v${version}`);
    throw error;
  }
}
