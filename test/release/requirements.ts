/** What has to hold before a release is begun. Nothing is changed by looking. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { hasUnreleased } from "./changelog.js";
import { git } from "./execute.js";
import { Refusal } from "./refusal.js";
import { isNewer, nextVersion } from "./version.js";

export interface Requirements {
  readonly root: string;
  /** `patch`, `minor`, `major` or a version. */
  readonly wanted: string;
  readonly publish: boolean;
}

/**
 * The version to release.
 *
 * @throws Refusal
 */
export async function checkRequirements({ root, wanted, publish }: Requirements): Promise<string> {
  const manifest: { version: string; repository?: unknown } = JSON.parse(await read(root, "package.json"));
  const version = nextVersion(manifest.version, wanted);
  if (version === undefined) {
    throw new Refusal(`"${wanted}" is no version. Say patch, minor, major, or a version such as 1.2.3.`);
  }
  if (!isNewer(version, manifest.version)) {
    throw new Refusal(`${version} is not newer than ${manifest.version}, the version of package.json.`);
  }
  const branch = await git(root, "rev-parse", "--abbrev-ref", "HEAD");
  if (branch !== "main") throw new Refusal(`The branch is "${branch}". Releases are made on main: git switch main.`);
  const changed = await git(root, "status", "--porcelain");
  if (changed !== "") throw new Refusal(`There are changes that are not committed. Commit or stash them:\n${changed}`);
  if ((await git(root, "tag", "--list", `v${version}`)) !== "") {
    throw new Refusal(`The tag v${version} is there already. Choose another version.`);
  }
  const hasOrigin = (await git(root, "remote")).split("\n").includes("origin");
  if (hasOrigin) await checkOrigin(root, version);
  if (!hasUnreleased(await read(root, "CHANGELOG.md"))) {
    throw new Refusal("CHANGELOG.md has no entry under [Unreleased]. Write down what has changed.");
  }
  if (!publish) return version;
  if (!hasOrigin) throw new Refusal("There is no remote origin to publish to.");
  if (manifest.repository === undefined) {
    throw new Refusal("package.json names no repository, and npm asks for it to prove where a package comes from.");
  }
  return version;
}

async function checkOrigin(root: string, version: string): Promise<void> {
  await git(root, "fetch", "--quiet", "origin", "main");
  const [ahead, behind] = (await git(root, "rev-list", "--left-right", "--count", "HEAD...FETCH_HEAD")).split(/\s+/);
  if (behind !== "0") throw new Refusal(`origin has ${behind} commits that are not here. Run git pull --ff-only.`);
  if (ahead !== "0")
    throw new Refusal(`origin lacks ${ahead} commits that are here. Push them, and let them be tested.`);
  if ((await git(root, "ls-remote", "--tags", "origin", `v${version}`)) !== "") {
    throw new Refusal(`origin has the tag v${version} already. Choose another version.`);
  }
}

function read(root: string, name: string): Promise<string> {
  return readFile(join(root, name), "utf8");
}
