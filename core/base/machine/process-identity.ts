/** What the system tells of processes: which one this is, and whether another one on the same machine still lives. */

import { readFileSync, readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import type { ProcessFate, ProcessIdentity, ProcessName } from "../vocabulary.js";
import { type System, thisSystem, windowsProgram } from "./system.js";

export function nameOfThis(): ProcessName {
  return { user: userName(), host: hostname(), pid: process.pid };
}

export function identityOfThis(system = thisSystem): ProcessIdentity {
  const started = ownStart(system);
  let known = looked.get(system);
  if (known === undefined || known.started !== started) {
    known = { started, marks: started === undefined ? bySystem(system) : byKernel(system, started) };
    looked.set(system, known);
  }
  return { ...nameOfThis(), ...known.marks };
}

type Marks = Omit<ProcessIdentity, keyof ProcessName>;

/** Once in a process. One that is frozen and thawed, even elsewhere, has begun at another moment: it looks again. */
const looked = new WeakMap<System, { readonly started: string | undefined; readonly marks: Marks }>();

/** As the kernel says it; undefined where it shows no processes. */
function ownStart({ platform, proc }: System): string | undefined {
  return platform === "linux" ? startOf(process.pid, proc) : undefined;
}

function byKernel({ proc }: System, started: string): Marks {
  return given({
    started,
    machine: read("/etc/machine-id") ?? read("/var/lib/dbus/machine-id"),
    boot: read(`${proc}/sys/kernel/random/boot_id`),
    pidNamespace: link(`${proc}/self/ns/pid`),
  });
}

/** The id of its boot tells a Mac from every other one. Windows has none, and needs none: no two processes share a pid and a moment. */
function bySystem(system: System): Marks {
  return given({ started: String(system.ownStart()), ...ofMachine(system) });
}

function ofMachine(system: System): { machine?: string | undefined; boot?: string | undefined } {
  if (system.platform === "win32") return { machine: system.installation() };
  if (system.platform !== "darwin") return {};
  // Not kern.boottime: that moves whenever the clock is set.
  const said = system.run("sysctl", ["-n", "kern.bootsessionuuid"])?.stdout.trim();
  return { boot: /^[\dA-F-]{36}$/i.test(said ?? "") ? said : undefined };
}

function given(members: { readonly [Name in keyof Marks]?: string | undefined }): Marks {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** What this machine can say of a process by itself; "unknown" where it runs elsewhere or the system does not tell. */
export function fateOf(of: ProcessIdentity, here: ProcessIdentity, system = thisSystem): ProcessFate {
  if (system.platform === "linux") return fateByKernel(of, here, system);
  if (!isSameSystem(of, here, system)) return "unknown";
  // Of this process nobody has to tell.
  if (of.pid === here.pid) return of.started === here.started ? "runs" : "gone";
  return fateBySight(of, system);
}

function fateByKernel(of: ProcessIdentity, here: ProcessIdentity, { proc, exists }: System): ProcessFate {
  const sameKernel = of.boot !== undefined && of.boot === here.boot && of.machine === here.machine;
  if (!sameKernel || of.pidNamespace === undefined || of.pidNamespace !== here.pidNamespace) return "unknown";
  const stat = statOf(of.pid, proc);
  // Some systems show a user only his own processes (hidepid).
  if (stat === undefined) return exists(of.pid) ? "unknown" : "gone";
  if (stat.started !== of.started || isOver(stat)) return "gone";
  return stat.state === "T" || stat.state === "t" ? "stopped" : "runs";
}

/** Names of hosts alone prove nothing: many Macs have the same. */
function isSameSystem(of: ProcessIdentity, here: ProcessIdentity, { platform }: System): boolean {
  if (platform === "win32") return of.machine !== undefined && of.machine === here.machine && of.host === here.host;
  return of.boot !== undefined && of.boot === here.boot;
}

/**
 * What has become of a process of this machine, where the kernel shows no files of it: by its pid, and when it started. `ps` tells on macOS
 * and other systems without `/proc`, PowerShell on Windows.
 */
export function fateBySight({ pid, started }: ProcessIdentity, system = thisSystem): ProcessFate {
  const sight = sightOf(pid, system);
  if (sight === "none") return "gone";
  if (sight === "unknown" || started === undefined) return "unknown";
  if (sight.state === "over" || !isStart(sight.started, started)) return "gone";
  return sight.state;
}

/** True where the pid of a process that has ended belongs to another one by now, or may do so. */
export function isPidReused({ pid, started }: ProcessIdentity, system = thisSystem): boolean {
  if (ownStart(system) !== undefined) {
    const now = startOf(pid, system.proc);
    return now !== undefined && now !== started;
  }
  const sight = sightOf(pid, system);
  return sight === "unknown" || (sight !== "none" && !isStart(sight.started, started));
}

/** What the kernel says of a process. */
interface Stat {
  /** One letter. */
  readonly state: string;
  readonly group: string | undefined;
  readonly threads: string | undefined;
  /** In ticks since boot. */
  readonly started: string;
}

/**
 * True for what is dead, and at most waits for its parent to notice. Not as long as a thread is left although the first one has
 * ended: it may still be writing, and holds the process's files and ports.
 */
export function isOver({ state, threads }: Stat): boolean {
  return state === "X" || (state === "Z" && !(Number(threads) > 1));
}

export function startOf(pid: number, proc?: string): string | undefined {
  return statOf(pid, proc)?.started;
}

/** Linux keeps it in /proc; undefined elsewhere, and once the process has ended. */
export function statOf(pid: number, proc = "/proc"): Stat | undefined {
  const stat = read(`${proc}/${pid}/stat`);
  // The command's name stands in brackets and may hold anything: fields are counted from behind it.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  const [state, , group] = fields;
  const [threads, started] = [fields[17], fields[19]];
  return state === undefined || started === undefined ? undefined : { state, group, threads, started };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined; // The system does not have it: the lease decides instead.
  }
}

function link(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Looked up once for each user that the process has been: it reads the password file. */
function userName(): string {
  const id = process.geteuid?.();
  const name = names.get(id) ?? userNameNow();
  names.set(id, name);
  return name;
}

const names = new Map<number | undefined, string>();

function userNameNow(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown"; // A user without an entry in the password file, as in many containers.
  }
}

/** A process that there is. */
interface Sight {
  /** Milliseconds since 1970; `ps` tells it to the second. */
  readonly started: number;
  readonly state: "runs" | "stopped" | "over";
}

/** Milliseconds by which the moment that a process is recorded with may be later than its start: programs are looked through by scanners first. */
const LATER = 15_000;

/** Milliseconds by which it may seem earlier: `ps` and clocks round. */
const EARLIER = 1_000;

/** `none`: no process has the pid. `unknown`: there is one, and the system tells nothing of it. */
export function sightOf(pid: number, system: System): Sight | "none" | "unknown" {
  if (!system.exists(pid)) return "none";
  return system.platform === "win32" ? byPowerShell(pid, system) : byPs(pid, system);
}

/** True for the process that was recorded with a moment, and not another one that has its pid by now. */
function isStart(found: number, recorded: string | undefined): boolean {
  const moment = momentOf(recorded);
  return moment !== undefined && found >= moment - LATER && found <= moment + EARLIER;
}

/** Records hold milliseconds; those of earlier versions what `ps` says, in UTC. */
function momentOf(started = ""): number | undefined {
  const moment = /^\d+$/.test(started) ? Number(started) : Date.parse(`${started} UTC`);
  return Number.isNaN(moment) ? undefined : moment;
}

const LINE = /^(\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})\s+(\S+)$/;

/** One that does not know these columns, as busybox's, says so on stderr, and ends as where there is no such process. */
function byPs(pid: number, system: System): Sight | "none" | "unknown" {
  const said = system.run("ps", ["-o", "lstart=", "-o", "stat=", "-p", String(pid)]);
  if (said === undefined || said.stderr.trim() !== "") return "unknown";
  const line = said.stdout.trim();
  if (line === "") return said.status === 1 ? "none" : "unknown";
  const [, date = "", state = ""] = LINE.exec(line) ?? [];
  const started = momentOf(date);
  return started === undefined ? "unknown" : { started, state: stateOf(state) };
}

function stateOf(letters: string): Sight["state"] {
  if (/^[ZX]/.test(letters)) return "over";
  return /^[Tt]/.test(letters) ? "stopped" : "runs";
}

/** Milliseconds in which one answer holds: PowerShell takes half a second, and who waits for a process asks again and again. */
const FRESH = 5_000;

const seen = new WeakMap<System, Map<number, { readonly at: number; readonly sight: Sight | "unknown" }>>();

function byPowerShell(pid: number, system: System): Sight | "unknown" {
  const answers = seen.get(system) ?? new Map();
  seen.set(system, answers);
  const now = system.monotonicNow();
  const known = answers.get(pid);
  if (known && now - known.at < FRESH) return known.sight;
  const started = askPowerShell(pid, system);
  const sight = started === undefined ? "unknown" : ({ started, state: "runs" } as const);
  answers.set(pid, { at: now, sight });
  return sight;
}

/** Undefined also for a process of another user, of which it says nothing. */
function askPowerShell(pid: number, system: System): number | undefined {
  const format = "ToString('yyyy-MM-ddTHH:mm:ss.fffZ', [cultureinfo]::InvariantCulture)";
  const ask = `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().${format}`;
  const program = windowsProgram("WindowsPowerShell\\v1.0\\powershell.exe");
  const said = system.run(program, ["-NoProfile", "-NonInteractive", "-Command", ask])?.stdout.trim() ?? "";
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(said) ? Date.parse(said) : undefined;
}
