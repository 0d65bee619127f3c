import { expect, it } from "vitest";
import { type SshTunnelOptions, sshTunnel } from "../../plugins/ssh-tunnel/index.js";
import { codeOf, rejectedCode } from "../helpers/checks/codes.ts";
import { freePort } from "../servers/free-port.ts";
import { describeUnless, given } from "../servers/given.ts";
import type { SshServer } from "../servers/sshd.ts";
import { newStage, optionsFor, port, sshd, withSshHost } from "./ssh-host.ts";

describeUnless(await given("ssh"), "a tunnel by ssh", () => {
  withSshHost();

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

  it.each<[string, (server: SshServer) => Partial<SshTunnelOptions> | Promise<Partial<SshTunnelOptions>>, RegExp]>([
    ["nobody listens", async () => ({ port: await freePort() }), /cannot be reached.*\n {2}ssh: .*Connection refused/s],
    ["there is no host", () => ({ host: "nowhere.invalid" }), /name of the host cannot be resolved/],
    [
      "the key is a stranger's",
      ({ strangerFile }) => ({ identityFile: strangerFile }),
      /did not accept the login.*denied/s,
    ],
    [
      "the host is a stranger",
      () => ({ sshOptions: { UserKnownHostsFile: "/dev/null", StrictHostKeyChecking: "yes", IdentityAgent: "none" } }),
      /does not know the key of the host.*\n {2}ssh: /s,
    ],
    ["there is no ssh", () => ({ command: "/nowhere/ssh" }), /"\/nowhere\/ssh" cannot be started .*Install OpenSSH/],
  ])("says what is wrong where %s", async (_what, more, message) => {
    const app = await newStage(optionsFor(sshd, await more(sshd))).open();
    const [code, text] = await rejectedCode(app.openTunnel(port));
    expect(code).toBe("TUNNEL_FAILED");
    expect(text).toMatch(message);
    expect(text).not.toContain("debug1");
    await app.finalize();
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
