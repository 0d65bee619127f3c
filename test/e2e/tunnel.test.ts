import { userInfo } from "node:os";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type CliSession, startSession } from "../helpers/cli-session.ts";
import { engineProject, type Project } from "../helpers/engine-project.ts";
import { isGone } from "../helpers/gone.ts";
import { describeUnless, given } from "../servers/given.ts";
import { type SshServer, startSshd } from "../servers/sshd.ts";

describeUnless(await given("ssh"), "a tunnel of a program", () => {
  let sshd: SshServer;
  let project: Project;
  let session: CliSession;

  beforeAll(async () => {
    sshd = await startSshd();
  });
  afterEach(async () => {
    await session.leave();
    await project.remove();
  });
  afterAll(() => sshd.stop());

  async function start(command: string): Promise<void> {
    const options = {
      host: "127.0.0.1",
      port: sshd.port,
      user: userInfo().username,
      identityFile: sshd.identityFile,
      sshOptions: { UserKnownHostsFile: sshd.knownHosts, IdentityAgent: "none" },
      command: "./ssh.sh",
    };
    project = await engineProject({
      "package.json": "{}",
      "ssh.sh": '#!/bin/sh\necho "ssh is $$" > pid\nexec ssh "$@"\n',
      "engine.run.js": `
import { chmodSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { engine } from "scope-engine";
import { sshTunnel } from "scope-engine/plugins/ssh-tunnel";

chmodSync("ssh.sh", 0o700);
const server = createServer((_request, response) => response.end("reached")).listen(0, "127.0.0.1").unref();
const app = await engine("tunnelled", { plugins: [sshTunnel(${JSON.stringify(options)})] });
const url = await app.openTunnel(server.address().port);
console.log(readFileSync("pid", "utf8").trim());
console.log("got", await (await fetch(url)).text());
await app.finalize();
`,
    });
    session = startSession(project, [command, "--tunnel"]);
  }

  it("is closed when the program has ended, which it does not keep", async () => {
    await start("up");
    const pid = Number(await session.next("ssh is "));
    await session.next("got reached");
    expect(await session.ended).toEqual({ code: 0, signal: null });
    await isGone(pid);
  });

  it("keeps the program in watch mode, until a change or Ctrl-C", async () => {
    await start("watch");
    const first = Number(await session.next("ssh is "));
    await session.next("got reached");
    await session.next("tunnelled/dev up done");
    expect(process.kill(first, 0)).toBe(true);
    await project.write("engine.run.js", 'console.log("changed program");');
    await session.next("changed program");
    await isGone(first);
    expect(session.output).not.toContain("killed");
  });
});
