/** The programs of a server, from Debian's packages if they are missing. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, constants, rm, writeFile } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { text } from "node:stream/consumers";
import type { Needs } from "./needs.js";

/** Milliseconds for one call of apt-get. */
const patience = 300_000;
/** The script that Debian's packages run before they start a service: 101 forbids it. */
const policy = "/usr/sbin/policy-rc.d";

/** Resolves with what the machine lacks, after installing the programs if that is possible and wanted. */
export async function lacking(needs: Needs, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const missing = await notFound(needs.programs, env);
  if (missing.length === 0) return undefined;
  const packages = needs.packages.join(" ");
  const isWanted = env.CI !== undefined || env.INSTALL_SERVERS !== undefined;
  const isPossible = process.getuid?.() === 0 && (await notFound(["apt-get"], env)).length === 0;
  if (!isPossible) return `${missing.join(", ")} not found; it is in Debian's packages ${packages}`;
  if (!isWanted) return `${missing.join(", ")} not found; INSTALL_SERVERS=1 installs it (apt-get install ${packages})`;
  await install(needs.packages);
  const still = await notFound(needs.programs, env);
  return still.length === 0 ? undefined : `${still.join(", ")} not found, though ${packages} got installed`;
}

async function notFound(programs: readonly string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  // Servers are not in every user's PATH, but every user can start them.
  const folders = [...(env.PATH ?? "").split(delimiter), "/usr/sbin"];
  const isThere = (path: string): Promise<boolean> =>
    access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
  const found = programs.map(async (name) =>
    (await Promise.all((isAbsolute(name) ? [""] : folders).map((folder) => isThere(join(folder, name))))).includes(
      true,
    ),
  );
  const are = await Promise.all(found);
  return programs.filter((_, index) => !are[index]);
}

let updated: Promise<void> | undefined;

async function install(packages: readonly string[]): Promise<void> {
  // The lists of packages are updated once.
  updated ??= aptGet("update");
  await updated;
  const isOurs = await forbidServices();
  try {
    await aptGet("install", "-y", "--no-install-recommends", ...packages);
  } finally {
    if (isOurs) await rm(policy, { force: true });
  }
}

/** False: the machine has a rule of its own, which stays. */
async function forbidServices(): Promise<boolean> {
  try {
    await writeFile(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755, flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function aptGet(...args: readonly string[]): Promise<void> {
  // Another process may be installing packages.
  const child = spawn("apt-get", ["-q", "-o", "DPkg::Lock::Timeout=120", ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: patience,
  });
  const said = text(child.stderr);
  await once(child, "close");
  if (child.exitCode !== 0) {
    throw new Error(`apt-get ${args.join(" ")} ended with ${child.exitCode ?? child.signalCode}:\n${await said}`);
  }
}
