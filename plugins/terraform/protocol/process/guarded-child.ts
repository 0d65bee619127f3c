/** A child process that ends with this one, also where this one is killed: then nothing of it runs any more that could end it. */
import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { hasCode } from "../../../../core/base/index.js";
import { childEnvironment } from "../../../internal/child-environment.js";
import { ownGroup } from "../../../internal/process-group.js";

export interface GuardedCall {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Goes when the process has gone. */
  readonly folder: string;
}

/**
 * The guard is a shell in the group of the child. It waits for the end of a pipe that this process holds and never writes to, which
 * the kernel closes with it. Then it ends the group, which has two seconds for that, removes the folder, and goes as the last of the
 * group. The child takes the place of the shell that has started the guard, so that its id and its exit are those of the child.
 */
const GUARD = `(trap '' TERM INT HUP
read -r end <&3
kill -s TERM -- -$$
rm -rf -- "$0"
left=20
while [ $left -gt 0 ] && kill -s 0 $$; do sleep 0.1 || sleep 1; left=$((left - 1)); done
kill -s KILL -- -$$) </dev/null >/dev/null 2>&1 &
exec 3<&-
exec "$@"`;

/** Tokens of registries (`TF_TOKEN_*`) are for downloads: no provider gets them. */
const isToken = (name: string): boolean => name.startsWith("TF_TOKEN_");

export function startGuarded({ command, args, env, cwd, folder }: GuardedCall): ChildProcess {
  const isWindows = process.platform === "win32";
  const options = {
    cwd,
    env: childEnvironment(env, isToken),
    ...ownGroup({ outlives: false }),
  } as const;
  // Windows ends what a process has started with it.
  const child = isWindows
    ? spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] })
    : spawn("/bin/sh", ["-c", GUARD, folder, command, ...args], {
        ...options,
        stdio: ["ignore", "pipe", "pipe", "pipe"],
      });
  // The guard, and what the child may have left, go with it. As long as the guard is there, no other group has this id.
  child.once("exit", () => {
    if (child.pid !== undefined && !isWindows) killGroup(child.pid);
    rmSync(folder, { recursive: true, force: true });
  });
  child.once("error", () => rmSync(folder, { recursive: true, force: true }));
  return child;
}

/** At once, with all that it has started. */
export function killGuarded(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (process.platform === "win32") child.kill("SIGKILL");
  else killGroup(child.pid);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!hasCode(error, "ESRCH", "EPERM")) throw error;
  }
}
