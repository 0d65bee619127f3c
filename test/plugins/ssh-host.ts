/** An SSH server, and a local web server that a tunnel leads to. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { userInfo } from "node:os";
import { afterAll, beforeAll } from "vitest";
import { type SshTunnelOptions, sshTunnel } from "../../plugins/ssh-tunnel/index.js";
import { Stage } from "../helpers/apps/stage.js";
import { type SshServer, startSshd } from "../servers/sshd.ts";

export let sshd: SshServer;
let web: Server;
/** Port of the web server. */
export let port = 0;

/** Starts both for the tests of a file. */
export function withSshHost(): void {
  beforeAll(async () => {
    sshd = await startSshd();
    web = createServer((request, response) => response.end(`you asked for ${request.url}`));
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    port = (web.address() as AddressInfo).port;
  });
  afterAll(async () => {
    web.close();
    await sshd.stop();
  });
}

export const optionsFor = (server: SshServer, more: Partial<SshTunnelOptions> = {}): SshTunnelOptions => ({
  host: "127.0.0.1",
  port: server.port,
  user: userInfo().username,
  identityFile: server.identityFile,
  sshOptions: { UserKnownHostsFile: server.knownHosts, GlobalKnownHostsFile: "/dev/null", IdentityAgent: "none" },
  ...more,
});
export const newStage = (options: SshTunnelOptions): Stage =>
  new Stage({ tunnel: true, plugins: [sshTunnel(options)] });
