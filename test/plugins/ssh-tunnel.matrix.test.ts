import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { rejectedCode } from "../helpers/checks/codes.ts";
import { freePort } from "../servers/free-port.ts";
import { describeUnless, given } from "../servers/given.ts";
import { type SshServer, startSshd } from "../servers/sshd.ts";
import { newStage, optionsFor, port, sshd, withSshHost } from "./ssh-host.ts";

describeUnless(await given("ssh"), "a tunnel by ssh", () => {
  const servers: SshServer[] = [];

  withSshHost();
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

  it("listens on the port, and has the URL, that its options say", async () => {
    const remotePort = await freePort();
    const publicUrl = (there: number): string => `http://localhost:${there}/from-outside`;
    const app = await newStage(optionsFor(sshd, { remotePort, publicUrl, bindAddress: "127.0.0.1" })).open();
    expect(await app.openTunnel(port)).toBe(`http://localhost:${remotePort}/from-outside`);
    expect(await (await fetch(`http://127.0.0.1:${remotePort}/`)).text()).toBe("you asked for /");
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
    // It accepts connections, and never answers.
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
