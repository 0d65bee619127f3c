/**
 * Processes as `ps` shows them on macOS and other systems without `/proc`, and PowerShell on Windows. A process is known by its pid
 * and the moment at which it started.
 */
import { type System, windowsProgram } from "./system.js";

/** A process that there is. */
export interface Sight {
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
export function isStart(found: number, recorded: string | undefined): boolean {
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
