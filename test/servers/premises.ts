/** A temporary folder and the processes that run in it: neither outlives this process, however that ends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Resident, residentOf } from "./resident.js";

/**
 * Reads which processes start and end. When its input ends it kills the remaining ones and removes the folder. That
 * works even after a SIGKILL of this process, because the kernel then closes the pipe.
 */
const watcher = `
trap '' HUP INT TERM
pids=
while read -r line; do
  case "$line" in
    +*) pids="$pids \${line#+}" ;;
    -*) left=; for pid in $pids; do [ "$pid" = "\${line#-}" ] || left="$left $pid"; done; pids=$left ;;
  esac
done
[ -z "$pids" ] || kill -9 $pids
for attempt in 1 2 3; do rm -rf -- "$1" && break; done
`;

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
}

export interface Premises {
  readonly folder: string;
  /** Starts a program that stays. */
  start(command: string, args: readonly string[], options?: RunOptions): Promise<Resident>;
  /** Runs a program to its end; rejects with its output if it fails. */
  run(command: string, args: readonly string[], options?: RunOptions): Promise<void>;
  /** Ends every process and removes the folder. */
  leave(): Promise<void>;
}

export async function openPremises(name: string): Promise<Premises> {
  const folder = await mkdtemp(join(tmpdir(), `scope-engine-${name}-`));
  const watching = spawn("sh", ["-c", watcher, "sh", folder], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  const residents = new Set<Resident>();
  let count = 0;

  // The watcher must not keep this process alive: it waits for its end.
  watching.unref();
  watching.stdin.on("error", () => {});

  const begin = async (command: string, args: readonly string[], { env = {} }: RunOptions): Promise<Resident> => {
    const log = join(folder, `output-${++count}`);
    const output = openSync(log, "w");
    const child = spawn(command, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ["ignore", output, output],
    });
    closeSync(output);
    // At once: this process may end at any time.
    if (child.pid !== undefined) watching.stdin.write(`+${child.pid}\n`);
    await once(child, "spawn");
    const resident = residentOf(child, command, log);
    residents.add(resident);
    child.once("exit", () => {
      residents.delete(resident);
      watching.stdin.write(`-${resident.pid}\n`);
    });
    return resident;
  };

  const leave = async (): Promise<void> => {
    await Promise.all([...residents].map((resident) => resident.kill()));
    const gone = once(watching, "exit");
    watching.ref();
    watching.stdin.end();
    await gone;
  };
  let left: Promise<void> | undefined;

  return {
    folder,
    start: async (command, args, options = {}) => {
      const resident = await begin(command, args, options);
      resident.unref();
      return resident;
    },
    run: async (command, args, options = {}) => {
      const resident = await begin(command, args, options);
      const code = await resident.ended;
      if (code !== 0) throw new Error(`${command} ended with ${code}:\n${await resident.said()}`);
    },
    leave: () => {
      left ??= leave();
      return left;
    },
  };
}
