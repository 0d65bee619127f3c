/** A program that opens a tunnel through an SSH server. */
import { userInfo } from "node:os";
import { afterAll, afterEach, beforeAll } from "vitest";
import { engineProject, type Project } from "../helpers/processes/engine-project.ts";
import { type CliSession, startSession } from "../helpers/terminal/cli-session.ts";
import { type SshServer, startSshd } from "../servers/sshd.ts";

let sshd: SshServer;
/** Of the current test. */
export let project: Project;
export let session: CliSession;

/** Starts the server; the sessions of the tests end with them. */
export function throughSshd(): void {
  beforeAll(async () => {
    sshd = await startSshd();
  });
  afterEach(async () => {
    await session.leave();
    await project.remove();
  });
  afterAll(() => sshd.stop());
}

export async function start(command: string): Promise<void> {
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
