/** What `ssh` says, read. Pure. */

/** What one line says of the port that the server listens on; undefined where it says nothing. */
export function portIn(line: string, remotePort: number): number | undefined {
  const allocated = /^Allocated port (\d+) for remote forward/.exec(line)?.[1];
  if (allocated !== undefined) return Number(allocated);
  // Of a port that was chosen beforehand it is only said that it is there.
  return remotePort > 0 && /remote forward success/.test(line) ? remotePort : undefined;
}

/** False for what is only for those who look for faults in ssh. */
export function isForPeople(line: string): boolean {
  return line.trim() !== "" && !/^(debug\d:|Authenticated to |OpenSSH_|Allocated port )/.test(line);
}

const FAULTS: readonly (readonly [said: RegExp, why: string])[] = [
  [/could not resolve hostname/i, "there is no such host. Check the option host"],
  [
    /host key verification failed|remote host identification has changed|no \S+ host key is known/i,
    "ssh does not know the key of the host, or another one. Connect once by hand, and compare the key that it shows",
  ],
  [
    /permission denied|too many authentication failures|no such identity|bad permissions/i,
    "the host lets nobody in with these keys. Check the options user and identityFile, or the keys of ssh-agent",
  ],
  [
    /port forwarding failed|administratively prohibited/i,
    "the host refuses to forward the port: it is taken, or sshd_config forbids it (AllowTcpForwarding, PermitListen)",
  ],
  [
    /connection refused|timed out|no route to host|network is unreachable|connection (closed|reset)|timeout/i,
    "the host cannot be reached. Check the options host and port, and the network",
  ],
];

/** Why it has ended, and what to do, as far as its lines tell. */
export function whyEnded(lines: readonly string[]): string {
  const text = lines.join("\n");
  return FAULTS.find(([said]) => said.test(text))?.[1] ?? "ssh has ended";
}
