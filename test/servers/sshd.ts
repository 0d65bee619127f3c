/** A real SSH server of a test's own, on the loopback interface. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "./free-port.js";
import { openPremises } from "./premises.js";
import { isUp } from "./up.js";

export interface SshServer {
  readonly port: number;
  /** File of a private key that it accepts. */
  readonly identityFile: string;
  /** File of a private key that it refuses. */
  readonly strangerFile: string;
  /** File that names its host key. */
  readonly knownHosts: string;
  /** As a crash does: SIGKILL, connections included. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** @param settings further lines of sshd_config, which win */
export async function startSshd(settings: readonly string[] = []): Promise<SshServer> {
  const premises = await openPremises("sshd");
  const at = (name: string): string => join(premises.folder, name);
  const port = await freePort();
  try {
    // The package makes it when it starts its service, which it does not do here.
    if (process.getuid?.() === 0) await mkdir("/run/sshd", { recursive: true });
    for (const key of ["host", "user", "stranger"]) {
      await premises.run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at(key)]);
    }
    const hostKey = await readFile(at("host.pub"), "utf8");
    await writeFile(at("known_hosts"), `[127.0.0.1]:${port} ${hostKey}`);
    const config = [
      ...settings,
      `Port ${port}`,
      "ListenAddress 127.0.0.1",
      `HostKey ${at("host")}`,
      `AuthorizedKeysFile ${at("user.pub")}`,
      "PidFile none",
      "UsePAM no",
      // All users can write to the folder of the tests.
      "StrictModes no",
      "PasswordAuthentication no",
      "PermitRootLogin yes",
    ];
    await writeFile(at("sshd_config"), `${config.join("\n")}\n`);
    const server = await premises.start("/usr/sbin/sshd", ["-D", "-e", "-f", at("sshd_config")]);
    await isUp(server, () => greets(port));
    return {
      port,
      identityFile: at("user"),
      strangerFile: at("stranger"),
      knownHosts: at("known_hosts"),
      kill: () => server.kill(),
      stop: () => premises.leave(),
    };
  } catch (error) {
    await premises.leave();
    throw error;
  }
}

function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("data", (greeting) => {
      socket.destroy();
      resolve(greeting.toString().startsWith("SSH-"));
    });
    socket.once("error", () => resolve(false));
  });
}
