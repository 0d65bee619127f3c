/**
 * Other systems than this one, as far as the engine queries them about processes. Their answers have the documented
 * format.
 */
import { type System, thisSystem } from "../../../core/base/index.js";
import type { ProgramResult } from "../../../core/base/machine/system.js";

type Answer = (program: string, args: readonly string[]) => ProgramResult | undefined;

const fine = (stdout: string): ProgramResult => ({ status: 0, stdout, stderr: "" });

/** Start of processes on these systems, unless given otherwise. */
const START = Date.parse("2026-11-25T15:30:41Z");

function systemOf(platform: NodeJS.Platform, pids: readonly number[], run: Answer): System {
  let now = 0;
  return {
    ...thisSystem,
    platform,
    proc: "/nowhere",
    exists: (pid) => pids.includes(pid),
    run,
    installation: () => (platform === "win32" ? "c41d2f-1a7" : undefined),
    ownStart: () => START,
    // Each query comes a second later.
    monotonicNow: () => (now += 1_000),
  };
}

/** @param shown output of `ps` by pid; an empty text stands for none */
export function macOS(shown: Readonly<Record<number, string>> = {}): System {
  const lines = new Map(Object.entries(shown).filter(([, line]) => line !== ""));
  return systemOf("darwin", [...lines.keys()].map(Number), (program, args) => {
    if (program === "sysctl") return fine("0F4C7A9E-64C6-4C02-9B5E-3F0B8E5D7A11\n");
    const line = lines.get(args.at(-1) ?? "");
    return line === undefined ? { status: 1, stdout: "", stderr: "" } : fine(`${line}\n`);
  });
}

/** Alpine without `/proc`. */
export function busybox(...pids: readonly number[]): System {
  const usage =
    "ps: bad -o argument 'lstart', supported arguments: user,group,comm,args,pid,ppid,pgid,etime,nice,rgroup,ruser,time,tty,vsz,sid,stat,rss\n";
  return systemOf("linux", pids, () => ({ status: 1, stdout: "", stderr: usage }));
}

/** @param shown output of PowerShell about its start, by pid; undefined if the process is another user's */
export function windows(shown: Readonly<Record<number, string | undefined>> = {}, calls: string[][] = []): System {
  const pids = Object.keys(shown).map(Number);
  return systemOf("win32", pids, (program, args) => {
    calls.push([program, ...args]);
    const [, pid = ""] = /-Id (\d+)/.exec(args.at(-1) ?? "") ?? [];
    const said = shown[Number(pid)];
    return said === undefined ? { status: 1, stdout: "", stderr: "Access is denied" } : fine(`${said}\r\n`);
  });
}
