/** The arguments of `ssh`. Pure. */
import type { SshTunnelOptions } from "./index.js";

const SETTINGS = [
  "ExitOnForwardFailure=yes",
  // There is no terminal to type a password on.
  "BatchMode=yes",
  "ConnectTimeout=15",
  "ServerAliveInterval=15",
  "ServerAliveCountMax=3",
  // At this level ssh reports that it listens; its other debug lines are dropped.
  "LogLevel=DEBUG1",
] as const;

export interface Forwarding {
  /** Local host of the service that becomes public. */
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
    // ssh uses the first value of each setting.
    ...[...own, ...SETTINGS].flatMap((setting) => ["-o", setting]),
    ...(port === undefined ? [] : ["-p", `${port}`]),
    ...(user === undefined ? [] : ["-l", user]),
    ...(identityFile === undefined ? [] : ["-i", identityFile, "-o", "IdentitiesOnly=yes"]),
    // Ends the options: a host may begin with a dash.
    "--",
    host,
  ];
}

/** Puts an IPv6 address, which contains colons, into brackets. */
export function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}
