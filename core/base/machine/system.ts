/** What is asked of the operating system about processes; a test answers for another one. */
import { statSync } from "node:fs";
import { hasCode } from "../errors.js";
import type { PlatformName } from "../vocabulary.js";

/** What a program of the system has said. */
export interface Said {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface System {
  readonly platform: PlatformName;
  /** Where the kernel shows its processes, on Linux. */
  readonly proc: string;
  /** True where a process has the pid, whoever owns it. */
  exists(pid: number): boolean;
  /** Undefined where the program is not there, may not be run, or does not end. */
  run(program: string, args: readonly string[]): Said | undefined;
  /** What tells one installation of Windows from others: the disk that it is on, and when it was put there. */
  installation(): string | undefined;
  /** When this process started, in milliseconds since 1970. */
  ownStart(): number;
  /** Milliseconds since an arbitrary moment. */
  monotonicNow(): number;
}

/** Milliseconds that a program of the system has: PowerShell takes one second where the machine is busy. */
const TIMEOUT = 10_000;

/** Nothing of the run's own, such as what opens its secrets; dates come in one language, and in one time zone. */
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
    // Loaded where it is needed: on Linux nothing is asked, and every start of every program would pay for it.
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

/** The program of Windows itself, and none of that name in the current folder. */
export function windowsProgram(path: string): string {
  return `${windowsFolder()}\\System32\\${path}`;
}

function windowsFolder(): string {
  return process.env.SystemRoot ?? "C:\\Windows";
}

// The page of the CI run that a process belongs to, so that whoever waits for it can look at it.

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that hold the address, by the services that set them. */
const ADDRESSES = [
  "CI_JOB_URL", // GitLab
  "CIRCLE_BUILD_URL",
  "BUILDKITE_BUILD_URL",
  "TRAVIS_JOB_WEB_URL",
  "DRONE_BUILD_LINK",
  "BUILD_URL", // Jenkins
] as const;

/** Its URL, without user and password; undefined outside of CI and where the service does not tell. */
export function ciRun(env: Environment): string | undefined {
  const address = onGitHub(env) ?? onAzure(env) ?? ADDRESSES.map((name) => env[name]).find(Boolean);
  if (address === undefined || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  url.username = "";
  url.password = "";
  return url.href;
}

function onGitHub({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID }: Environment): string | undefined {
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY || !GITHUB_RUN_ID) return undefined;
  return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
}

function onAzure({ SYSTEM_COLLECTIONURI, SYSTEM_TEAMPROJECT, BUILD_BUILDID }: Environment): string | undefined {
  if (!SYSTEM_COLLECTIONURI || !SYSTEM_TEAMPROJECT || !BUILD_BUILDID) return undefined;
  return `${SYSTEM_COLLECTIONURI}${SYSTEM_TEAMPROJECT}/_build/results?buildId=${BUILD_BUILDID}`;
}
