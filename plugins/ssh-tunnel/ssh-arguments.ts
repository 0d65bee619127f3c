/** What `ssh` is called with. Pure. */
import type { SshTunnelOptions } from "./index.js";

const SETTINGS = [
  "ExitOnForwardFailure=yes",
  // Nobody is there to type a password.
  "BatchMode=yes",
  "ConnectTimeout=15",
  "ServerAliveInterval=15",
  "ServerAliveCountMax=3",
  // It says by this that it listens; what is only for those who look for faults in ssh is left out again.
  "LogLevel=DEBUG1",
] as const;

export interface Forwarding {
  /** Where this machine reaches what is to be public. */
  readonly host: string;
  readonly port: number;
}

export function sshArguments(options: SshTunnelOptions, { host: target, port: targetPort }: Forwarding): string[] {
  const { host, port, user, identityFile, bindAddress, remotePort = 0, sshOptions = {} } = options;
  const own = Object.entries(sshOptions).map(([name, value]) => `${name}=${value}`);
  const bind = bindAddress === undefined ? "" : `${bracketed(bindAddress)}:`;
  return [
    "-N",
    "-T",
    "-R",
    `${bind}${remotePort}:${bracketed(target)}:${targetPort}`,
    // The first value that ssh gets is the one that holds.
    ...[...own, ...SETTINGS].flatMap((setting) => ["-o", setting]),
    ...(port === undefined ? [] : ["-p", `${port}`]),
    ...(user === undefined ? [] : ["-l", user]),
    ...(identityFile === undefined ? [] : ["-i", identityFile, "-o", "IdentitiesOnly=yes"]),
    // A host that begins with a dash is no option.
    "--",
    host,
  ];
}

/** An address of IPv6 has colons of its own. */
export function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}
