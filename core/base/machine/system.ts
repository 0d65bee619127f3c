/** Operating-system queries about processes; tests provide their own answers. */
import { statSync } from "node:fs";
import { hasCode } from "../errors.js";
import type { PlatformName } from "../vocabulary.js";

/** Result of a system program. */
export interface ProgramResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface System {
  readonly platform: PlatformName;
  /** Folder in which the Linux kernel shows its processes. */
  readonly proc: string;
  /** Returns true if a process has the pid, also one of another user. */
  exists(pid: number): boolean;
  /** Runs a program. Returns undefined if it is missing, may not be run, or does not end. */
  run(program: string, args: readonly string[]): ProgramResult | undefined;
  /** Identifies an installation of Windows by its disk and the time of its creation. */
  installation(): string | undefined;
  /** Start time of this process, in milliseconds since 1970. */
  ownStart(): number;
  /** Milliseconds since an arbitrary moment. */
  monotonicNow(): number;
}

/** Time limit for a system program, in milliseconds: PowerShell takes a second on a busy machine. */
const TIMEOUT = 10_000;

/**
 * Returns an environment without variables of the run, such as those that open its secrets. Dates get one language and
 * one time zone.
 */
function bareEnvironment(): Readonly<Record<string, string>> {
  if (process.platform === "win32") return { SystemRoot: windowsFolder() };
  return { LC_ALL: "C", TZ: "UTC", PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
}

export const thisSystem: System = {
  platform: process.platform,
  proc: "/proc",
  exists(pid) {
    try {
      return process.kill(pid, 0);
    } catch (error) {
      return !hasCode(error, "ESRCH");
    }
  },
  run(program, args) {
    // Loaded only if needed: on Linux nothing is queried, and loading it would slow every start of a program.
    const { spawnSync } = process.getBuiltinModule("node:child_process");
    const options = { encoding: "utf8", env: bareEnvironment(), timeout: TIMEOUT, windowsHide: true } as const;
    const { error, status, stdout, stderr } = spawnSync(program, args, options);
    return error ? undefined : { status, stdout, stderr };
  },
  installation() {
    try {
      const { dev, birthtimeNs } = statSync(windowsFolder(), { bigint: true });
      return `${dev.toString(16)}-${birthtimeNs.toString(16)}`;
    } catch {
      return undefined;
    }
  },
  ownStart: () => Math.round(performance.timeOrigin),
  monotonicNow: () => performance.now(),
};

/** Returns the path of a program of Windows itself, so that a program of that name in the current folder is not run. */
export function windowsProgram(path: string): string {
  return `${windowsFolder()}\\System32\\${path}`;
}

function windowsFolder(): string {
  return process.env.SystemRoot ?? "C:\\Windows";
}

// The URL of a CI run, so that a person who waits for it can open it.

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that hold the URL, by the services that set them. */
const ADDRESSES = [
  "CI_JOB_URL", // GitLab
  "CIRCLE_BUILD_URL",
  "BUILDKITE_BUILD_URL",
  "TRAVIS_JOB_WEB_URL",
  "DRONE_BUILD_LINK",
  "BUILD_URL", // Jenkins
] as const;

/** Returns the URL of the CI run, without user and password; undefined outside CI and if the service sets no URL. */
export function ciRun(env: Environment): string | undefined {
  const address = onGitHub(env) ?? onAzure(env) ?? onBuildkite(env) ?? ADDRESSES.map((name) => env[name]).find(Boolean);
  if (address === undefined || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  url.username = "";
  url.password = "";
  return url.href;
}

/** Variables that hold the commit that CI has checked out. */
const COMMITS = [
  "GITHUB_SHA",
  "CI_COMMIT_SHA", // GitLab
  "CIRCLE_SHA1",
  "BUILDKITE_COMMIT",
  "BUILD_SOURCEVERSION", // Azure
  "TRAVIS_COMMIT",
  "DRONE_COMMIT_SHA",
  "GIT_COMMIT", // Jenkins
] as const;

/** Returns the id of the commit that a CI run has checked out; undefined outside CI and if the service sets none. */
export function ciCommit(env: Environment): string | undefined {
  return COMMITS.map((name) => env[name]).find((id) => id !== undefined && /^[0-9a-f]{7,64}$/i.test(id));
}

function onGitHub({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID }: Environment): string | undefined {
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY || !GITHUB_RUN_ID) return undefined;
  return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
}

function onBuildkite({ BUILDKITE_BUILD_URL, BUILDKITE_JOB_ID }: Environment): string | undefined {
  if (!BUILDKITE_BUILD_URL || !BUILDKITE_JOB_ID) return undefined;
  return `${BUILDKITE_BUILD_URL}#${BUILDKITE_JOB_ID}`;
}

function onAzure({ SYSTEM_COLLECTIONURI, SYSTEM_TEAMPROJECT, BUILD_BUILDID }: Environment): string | undefined {
  if (!SYSTEM_COLLECTIONURI || !SYSTEM_TEAMPROJECT || !BUILD_BUILDID) return undefined;
  return `${SYSTEM_COLLECTIONURI}${SYSTEM_TEAMPROJECT}/_build/results?buildId=${BUILD_BUILDID}`;
}
