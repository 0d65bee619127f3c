/** What the system tells of processes: which one this is, and whether another one on the same machine still lives. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import type { ProcessFate, ProcessIdentity, ProcessName } from "./identity.js";
import { isStart, sightOf } from "./process-sight.js";
import { type System, thisSystem } from "./system.js";

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

/** What has become of a process of this machine, where the kernel shows no files of it: by its pid, and when it started. */
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
