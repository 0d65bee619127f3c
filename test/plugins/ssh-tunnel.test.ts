import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type SshTunnelOptions, sshTunnel } from "../../plugins/ssh-tunnel/index.js";
import { codeOf, rejectedCode } from "../helpers/codes.ts";
import { Stage } from "../helpers/stage.js";
import { freePort } from "../servers/free-port.ts";
import { describeUnless, given } from "../servers/given.ts";
import { type SshServer, startSshd } from "../servers/sshd.ts";

describeUnless(await given("ssh"), "a tunnel by ssh", () => {
  let sshd: SshServer;
  let web: Server;
  let port = 0;
  const servers: SshServer[] = [];

  beforeAll(async () => {
    sshd = await startSshd();
    web = createServer((request, response) => response.end(`you asked for ${request.url}`));
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    port = (web.address() as AddressInfo).port;
  });
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));
  afterAll(async () => {
    web.close();
    await sshd.stop();
  });

  const optionsFor = (server: SshServer, more: Partial<SshTunnelOptions> = {}): SshTunnelOptions => ({
    host: "127.0.0.1",
    port: server.port,
    user: userInfo().username,
    identityFile: server.identityFile,
    sshOptions: { UserKnownHostsFile: server.knownHosts, GlobalKnownHostsFile: "/dev/null", IdentityAgent: "none" },
    ...more,
  });
  const newStage = (options: SshTunnelOptions): Stage => new Stage({ tunnel: true, plugins: [sshTunnel(options)] });

  it("leads from a port that the host chose to the one that was named, until the cleanup", async () => {
    const stage = newStage(optionsFor(sshd));
    const app = await stage.open();
    const url = await app.openTunnel(port);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(url).not.toContain(`:${port}`);
    expect(await (await fetch(`${url}/page`)).text()).toBe("you asked for /page");
    await app.finalize();
    await expect(fetch(url)).rejects.toThrow("fetch failed");
    expect(stage.heard("warning")).toEqual([]);
  });

  it("listens on the port, and has the URL, that its options say", async () => {
    const remotePort = await freePort();
    const publicUrl = (there: number): string => `http://localhost:${there}/from-outside`;
    const app = await newStage(optionsFor(sshd, { remotePort, publicUrl, bindAddress: "127.0.0.1" })).open();
    expect(await app.openTunnel(port)).toBe(`http://localhost:${remotePort}/from-outside`);
    expect(await (await fetch(`http://127.0.0.1:${remotePort}/`)).text()).toBe("you asked for /");
    await app.finalize();
  });

  it.each<[string, (server: SshServer) => Partial<SshTunnelOptions> | Promise<Partial<SshTunnelOptions>>, RegExp]>([
    ["nobody listens", async () => ({ port: await freePort() }), /cannot be reached.*\n {2}ssh: .*Connection refused/s],
    ["there is no host", () => ({ host: "nowhere.invalid" }), /no such host/],
    ["the key is a stranger's", ({ strangerFile }) => ({ identityFile: strangerFile }), /lets nobody in.*denied/s],
    [
      "the host is a stranger",
      () => ({ sshOptions: { UserKnownHostsFile: "/dev/null", StrictHostKeyChecking: "yes", IdentityAgent: "none" } }),
      /does not know the key of the host.*\n {2}ssh: /s,
    ],
    ["there is no ssh", () => ({ command: "/nowhere/ssh" }), /"\/nowhere\/ssh" cannot be started/],
  ])("says what is wrong where %s", async (_what, more, message) => {
    const app = await newStage(optionsFor(sshd, await more(sshd))).open();
    const [code, text] = await rejectedCode(app.openTunnel(port));
    expect(code).toBe("TUNNEL_FAILED");
    expect(text).toMatch(message);
    expect(text).not.toContain("debug1");
    await app.finalize();
  });

  it("says that the port of the host is taken", async () => {
    const remotePort = await freePort();
    const first = await newStage(optionsFor(sshd, { remotePort })).open({ stage: "first" });
    await first.openTunnel(port);
    const app = await newStage(optionsFor(sshd, { remotePort })).open({ stage: "second" });
    expect((await rejectedCode(app.openTunnel(port)))[1]).toMatch(/refuses to forward the port.*\n {2}ssh: /s);
    await Promise.all([first.run(() => first.finalize()), app.run(() => app.finalize())]);
  });

  it("says that the host forwards nothing", async () => {
    const strict = await startSshd(["AllowTcpForwarding no"]);
    servers.push(strict);
    const app = await newStage(optionsFor(strict)).open();
    expect((await rejectedCode(app.openTunnel(port)))[1]).toContain("refuses to forward the port");
    await app.finalize();
  });

  it("warns once when it is lost", async () => {
    const folder = await mkdtemp(join(tmpdir(), "ssh-tunnel-"));
    const command = join(folder, "ssh");
    await writeFile(command, `#!/bin/sh\necho $$ > ${folder}/pid\nexec ssh "$@"\n`, { mode: 0o700 });
    const stage = newStage(optionsFor(sshd, { command }));
    const app = await stage.open();
    const url = await app.openTunnel(port);
    const warned = new Promise<string>((resolve) => app.events.on("warning", ({ code }) => resolve(code)));
    process.kill(Number(await readFile(join(folder, "pid"), "utf8")), "SIGKILL");
    await rm(folder, { recursive: true });
    expect(await warned).toBe("TUNNEL_LOST");
    await expect(fetch(url)).rejects.toThrow("fetch failed");
    await app.finalize();
    expect(stage.heard("warning")).toHaveLength(1);
  });

  it("is given up when the run is interrupted", async () => {
    const silent = createServer();
    const interrupt = new AbortController();
    // It takes connections, and never says a word.
    const connected = new Promise<void>((resolve) => silent.once("connection", () => resolve()));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const options = optionsFor(sshd, { port: (silent.address() as AddressInfo).port });
    const app = await newStage(options).open({ signal: interrupt.signal });
    const opening = rejectedCode(app.openTunnel(port));
    await connected;
    interrupt.abort();
    expect((await opening)[0]).toBe("ABORTED");
    silent.closeAllConnections();
    silent.close();
    await app.finalize().catch(() => {});
  });
});

it.each<[string, object]>([
  ["no host", {}],
  ["a host that would be an option", { host: "-oProxyCommand=x" }],
  ["a user that would be an option", { host: "h", user: "-l" }],
  ["a port that is none", { host: "h", port: 0 }],
  ["a remote port that is none", { host: "h", remotePort: 70_000 }],
])("%s is refused", (_name, options) => {
  const [code] = codeOf(() => Reflect.apply(sshTunnel, undefined, [options]));
  expect(code).toBe("INVALID_OPTION");
});
