/** Runs one `ssh` process that forwards a port. */
import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { EngineError, withDeadline, withResolvers } from "../../core/base/index.js";
import { childEnvironment } from "../internal/process/child-process.js";
import { endGroup, ownGroup } from "../internal/process/process-group.js";
import type { SshTunnelOptions } from "./index.js";
import { type Forwarding, sshArguments } from "./ssh-arguments.js";

/** Maximum milliseconds until the server listens. */
const TIMEOUT = 30_000;

/** Number of its last lines that are shown. */
const LAST = 5;

export interface Forward {
  /** Port that the server listens on. */
  readonly remotePort: number;
  /** Lets the program's process end while the tunnel is open. */
  unref(): void;
  /** Calls back with its last lines if it ends without `close()`. */
  onLost(lost: (lines: readonly string[]) => void): void;
  close(): Promise<void>;
}

/** Starts `ssh` and resolves once the server listens. @throws EngineError `TUNNEL_FAILED`; the reason of the signal */
export async function forward(
  options: SshTunnelOptions,
  forwarding: Forwarding,
  signal: AbortSignal,
): Promise<Forward> {
  const { command = "ssh", remotePort = 0 } = options;
  // In a process group of its own: Ctrl-C must reach only the program, which ends ssh after its cleanup.
  const child = spawn(command, sshArguments(options, forwarding), {
    env: childEnvironment(),
    stdio: ["ignore", "ignore", "pipe"],
    ...ownGroup({ outlives: false }),
  });
  const said: string[] = [];
  const failed = (why: string): EngineError => {
    const where = `The tunnel from ${options.host} to ${forwarding.host}:${forwarding.port}`;
    const last = said.map((line) => `\n  ssh: ${line}`).join("");
    return new EngineError("TUNNEL_FAILED", `${where} cannot be opened: ${why}.${last}`);
  };
  const close = async (): Promise<void> => {
    if (child.pid !== undefined) await endGroup(child.pid);
  };
  const { promise: listening, resolve, reject } = withResolvers<number>();
  createInterface({ input: child.stderr }).on("line", (line) => {
    const port = portIn(line, remotePort);
    if (port !== undefined) resolve(port);
    if (!isForPeople(line)) return;
    said.push(line);
    if (said.length > LAST) said.shift();
  });
  child.once("error", (error) =>
    reject(
      failed(`"${command}" cannot be started (${error.message}). Install OpenSSH, or correct the option "command"`),
    ),
  );
  child.once("close", () => reject(failed(whyEnded(said))));
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const late = (): EngineError =>
    failed(`the host did not open a port within ${TIMEOUT / 1000} s. Check the network, then run again`);
  try {
    return { ...forwardOf(child, said, close), remotePort: await withDeadline(TIMEOUT, listening, late) };
  } catch (error) {
    await close();
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function forwardOf(
  child: ChildProcess,
  said: readonly string[],
  close: () => Promise<void>,
): Omit<Forward, "remotePort"> {
  let isClosed = false;
  return {
    unref() {
      child.unref();
      if (child.stderr instanceof Socket) child.stderr.unref();
    },
    onLost(lost) {
      child.once("close", () => {
        if (!isClosed) lost(said);
      });
    },
    async close() {
      isClosed = true;
      await close();
    },
  };
}

/** Returns the port that the server listens on, if the line names it. */
function portIn(line: string, remotePort: number): number | undefined {
  const allocated = /^Allocated port (\d+) for remote forward/.exec(line)?.[1];
  if (allocated !== undefined) return Number(allocated);
  // For a fixed port, ssh only reports success.
  return remotePort > 0 && /remote forward success/.test(line) ? remotePort : undefined;
}

/** Returns false for debug output of ssh. */
function isForPeople(line: string): boolean {
  return line.trim() !== "" && !/^(debug\d:|Authenticated to |OpenSSH_|Allocated port )/.test(line);
}

const FAULTS: readonly (readonly [said: RegExp, why: string])[] = [
  [/could not resolve hostname/i, 'the name of the host cannot be resolved. Check the option "host" and DNS'],
  [
    /host key verification failed|remote host identification has changed|no \S+ host key is known/i,
    "ssh does not know the key of the host, or the key has changed. Connect once with ssh at a terminal, and compare the key that ssh shows with the key of the host",
  ],
  [
    /permission denied|too many authentication failures|no such identity|bad permissions/i,
    'the host did not accept the login. Check the options "user" and "identityFile", and the keys of ssh-agent',
  ],
  [
    /port forwarding failed|administratively prohibited/i,
    "the host refuses to forward the port. The port is taken, or the sshd_config of the host forbids it (AllowTcpForwarding, PermitListen)",
  ],
  [
    /connection refused|timed out|no route to host|network is unreachable|connection (closed|reset)|timeout/i,
    'the host cannot be reached. Check the options "host" and "port", and the network',
  ],
];

/** Returns the reason of its end and the advice, as far as its lines show. */
function whyEnded(lines: readonly string[]): string {
  const text = lines.join("\n");
  return FAULTS.find(([said]) => said.test(text))?.[1] ?? "ssh exited";
}
