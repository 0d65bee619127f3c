/**
 * Process identity from the operating system: identifies this process, and checks whether another one on this machine
 * still runs.
 */

import { readFileSync, readlinkSync, statSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import type { ProcessFate, ProcessIdentity, ProcessName } from "../vocabulary.js";
import { type System, thisSystem, windowsProgram } from "./system.js";

export function nameOfThis(): ProcessName {
  return { user: userName(), host: hostname(), pid: process.pid };
}

export function identityOfThis(system = thisSystem): ProcessIdentity {
  const entry = ownEntry(system);
  const known = knownMarks.get(system);
  if (known !== undefined && entry !== undefined && known.entry === entry) return { ...nameOfThis(), ...known.marks };
  const started = ownStart(system);
  const isSame = known !== undefined && known.started === started;
  const marks = isSame ? known.marks : started === undefined ? bySystem(system) : byKernel(system, started);
  knownMarks.set(system, { entry, started, marks });
  return { ...nameOfThis(), ...marks };
}

type Marks = Omit<ProcessIdentity, keyof ProcessName>;

interface Known {
  /** See {@link ownEntry}. */
  readonly entry: string | undefined;
  readonly started: string | undefined;
  readonly marks: Marks;
}

/**
 * Kept for the process. A process that was frozen and thawed, even elsewhere, has another start time and reads it
 * again.
 */
const knownMarks = new WeakMap<System, Known>();

/** Start time as the kernel reports it; undefined if it shows no processes. */
function ownStart({ platform, proc }: System): string | undefined {
  return platform === "linux" ? startOf(process.pid, proc) : undefined;
}

/**
 * Identifies the entry of this process in the kernel's list. The kernel makes another entry for another process with
 * this pid, and so for this one after it was thawed. It may also make another one at any time. Each run reads its
 * identity, and looking at the entry takes a fifth of the time of reading it.
 */
function ownEntry({ platform, proc }: System): string | undefined {
  if (platform !== "linux") return undefined;
  try {
    const { ino, mtimeMs } = statSync(`${proc}/${process.pid}/stat`);
    return `${ino} ${mtimeMs}`;
  } catch {
    return undefined; // The kernel shows no processes.
  }
}

function byKernel({ proc }: System, started: string): Marks {
  return given({
    started,
    machine: read("/etc/machine-id") ?? read("/var/lib/dbus/machine-id"),
    boot: read(`${proc}/sys/kernel/random/boot_id`),
    pidNamespace: link(`${proc}/self/ns/pid`),
  });
}

/** A boot id identifies a Mac. Windows has none and needs none: no two processes share a pid and a start time. */
function bySystem(system: System): Marks {
  return given({ started: String(system.ownStart()), ...ofMachine(system) });
}

function ofMachine(system: System): { machine?: string | undefined; boot?: string | undefined } {
  if (system.platform === "win32") return { machine: system.installation() };
  if (system.platform !== "darwin") return {};
  // Not kern.boottime, which changes whenever the clock is set.
  const said = system.run("sysctl", ["-n", "kern.bootsessionuuid"])?.stdout.trim();
  return { boot: /^[\dA-F-]{36}$/i.test(said ?? "") ? said : undefined };
}

function given(members: { readonly [Name in keyof Marks]?: string | undefined }): Marks {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/**
 * Returns the state of a process, as far as this machine alone can tell; "unknown" if it runs elsewhere or the system
 * does not tell.
 */
export function fateOf(of: ProcessIdentity, here: ProcessIdentity, system = thisSystem): ProcessFate {
  if (system.platform === "linux") return fateByKernel(of, here, system);
  if (!isSameSystem(of, here, system)) return "unknown";
  // This process needs no query.
  if (of.pid === here.pid) return of.started === here.started ? "runs" : "gone";
  return fateBySight(of, system);
}

function fateByKernel(of: ProcessIdentity, here: ProcessIdentity, { proc, exists }: System): ProcessFate {
  const sameKernel = of.boot !== undefined && of.boot === here.boot && of.machine === here.machine;
  if (!sameKernel || of.pidNamespace === undefined || of.pidNamespace !== here.pidNamespace) return "unknown";
  const stat = statOf(of.pid, proc);
  // Some systems show a user only their own processes (hidepid).
  if (stat === undefined) return exists(of.pid) ? "unknown" : "gone";
  if (stat.started !== of.started || isOver(stat)) return "gone";
  return stat.state === "T" || stat.state === "t" ? "stopped" : "runs";
}

/** Host names alone prove nothing: many Macs have the same one. */
function isSameSystem(of: ProcessIdentity, here: ProcessIdentity, { platform }: System): boolean {
  if (platform === "win32") return of.machine !== undefined && of.machine === here.machine && of.host === here.host;
  return of.boot !== undefined && of.boot === here.boot;
}

/**
 * Returns the state of a process of this machine if the kernel shows no files of it, by its pid and start time. It uses
 * `ps` on macOS and other systems without `/proc`, and PowerShell on Windows.
 */
export function fateBySight({ pid, started }: ProcessIdentity, system = thisSystem): ProcessFate {
  const sight = sightOf(pid, system);
  if (sight === "none") return "gone";
  if (sight === "unknown" || started === undefined) return "unknown";
  if (sight.state === "over" || !isStart(sight.started, started)) return "gone";
  return sight.state;
}

/** Returns true if the pid of a process that has ended may belong to another one now. */
export function isPidReused({ pid, started }: ProcessIdentity, system = thisSystem): boolean {
  if (ownStart(system) !== undefined) {
    const now = startOf(pid, system.proc);
    return now !== undefined && now !== started;
  }
  const sight = sightOf(pid, system);
  return sight === "unknown" || (sight !== "none" && !isStart(sight.started, started));
}

/** The kernel's data on a process. */
interface Stat {
  /** One letter. */
  readonly state: string;
  readonly group: string | undefined;
  readonly threads: string | undefined;
  /** In ticks since boot. */
  readonly started: string;
}

/**
 * Returns true for a process that is dead, or waits only for its parent to reap it. A process whose first thread has
 * ended is not over while another thread is left: it may still write, and holds files and ports.
 */
export function isOver({ state, threads }: Stat): boolean {
  return state === "X" || (state === "Z" && !(Number(threads) > 1));
}

export function startOf(pid: number, proc?: string): string | undefined {
  return statOf(pid, proc)?.started;
}

/** Reads the data that Linux keeps in /proc; undefined elsewhere, and after the process has ended. */
export function statOf(pid: number, proc = "/proc"): Stat | undefined {
  const stat = read(`${proc}/${pid}/stat`);
  // The name of the command is in brackets and may contain anything, so fields are counted after it.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  const [state, , group] = fields;
  const [threads, started] = [fields[17], fields[19]];
  return state === undefined || started === undefined ? undefined : { state, group, threads, started };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined; // The system does not have it, so the lease decides.
  }
}

function link(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Looked up once for each user id of the process, because it reads the password file. */
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

/** An existing process. */
interface Sight {
  /** Milliseconds since 1970; `ps` reports whole seconds. */
  readonly started: number;
  readonly state: "runs" | "stopped" | "over";
}

/**
 * Tolerance in milliseconds if the recorded time is later than the start: scanners may check a program before it runs.
 */
const LATER = 15_000;

/** Tolerance in milliseconds if the recorded time is earlier: `ps` and clocks round. */
const EARLIER = 1_000;

/** Queries a process. `none`: no process has the pid. `unknown`: one has, but the system reports nothing about it. */
export function sightOf(pid: number, system: System): Sight | "none" | "unknown" {
  if (!system.exists(pid)) return "none";
  return system.platform === "win32" ? byPowerShell(pid, system) : byPs(pid, system);
}

/** Returns true if a start time belongs to the recorded process, and not to another one with the same pid. */
function isStart(found: number, recorded: string | undefined): boolean {
  const moment = momentOf(recorded);
  return moment !== undefined && found >= moment - LATER && found <= moment + EARLIER;
}

/** Records hold milliseconds; those of earlier versions hold the output of `ps`, in UTC. */
function momentOf(started = ""): number | undefined {
  const moment = /^\d+$/.test(started) ? Number(started) : Date.parse(`${started} UTC`);
  return Number.isNaN(moment) ? undefined : moment;
}

const LINE = /^(\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})\s+(\S+)$/;

/**
 * A `ps` without these columns, such as busybox's, prints an error on stderr and exits as if the process did not exist.
 */
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

/**
 * Milliseconds for which an answer is cached: PowerShell takes half a second, and waiting for a process queries it
 * repeatedly.
 */
const FRESH = 5_000;

const cachedSights = new WeakMap<System, Map<number, { readonly at: number; readonly sight: Sight | "unknown" }>>();

function byPowerShell(pid: number, system: System): Sight | "unknown" {
  const answers = cachedSights.get(system) ?? new Map();
  cachedSights.set(system, answers);
  const now = system.monotonicNow();
  const known = answers.get(pid);
  if (known && now - known.at < FRESH) return known.sight;
  const started = askPowerShell(pid, system);
  const sight = started === undefined ? "unknown" : ({ started, state: "runs" } as const);
  answers.set(pid, { at: now, sight });
  return sight;
}

/** Also returns undefined for a process of another user, which PowerShell does not report. */
function askPowerShell(pid: number, system: System): number | undefined {
  const format = "ToString('yyyy-MM-ddTHH:mm:ss.fffZ', [cultureinfo]::InvariantCulture)";
  const ask = `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().${format}`;
  const program = windowsProgram("WindowsPowerShell\\v1.0\\powershell.exe");
  const said = system.run(program, ["-NoProfile", "-NonInteractive", "-Command", ask])?.stdout.trim() ?? "";
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(said) ? Date.parse(said) : undefined;
}
