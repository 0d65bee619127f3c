/** Public URLs by a host of one's own that `ssh` can log in to. */
import { callback, checkGiven, type RulesOf, record, text, wholeFrom } from "../../core/base/index.js";
import type { EnginePlugin } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { type Forward, forward } from "./forward.js";
import { bracketed } from "./ssh-arguments.js";

/** Options of {@link sshTunnel}. */
export interface SshTunnelOptions {
  /** Name or address of the host, or its name in `~/.ssh/config`. */
  readonly host: string;
  /** Port of its SSH server. Default: what ssh takes, 22. */
  readonly port?: number;
  /** Name to log in with. Default: what ssh takes. */
  readonly user?: string;
  /** File of the private key. Default: what ssh finds, and what ssh-agent has. */
  readonly identityFile?: string;
  /**
   * Address of the host to listen on, e.g. `0.0.0.0`, where its `GatewayPorts` allows that. Default: what the host
   * takes, mostly only itself.
   */
  readonly bindAddress?: string;
  /** Port of the host to listen on. Default: 0, one that the host chooses. */
  readonly remotePort?: number;
  /** Where a port of the host is reached from outside. Default: `http://{host}:{port}`. */
  readonly publicUrl?: (remotePort: number) => string;
  /** Settings of ssh_config, e.g. `{ UserKnownHostsFile: "/run/known_hosts" }`; they win over the plugin's own. */
  readonly sshOptions?: Readonly<Record<string, string>>;
  /** The program. Default: `ssh`. */
  readonly command?: string;
}

const OPTIONS: RulesOf<SshTunnelOptions> = {
  host: { allowed: "a name or an address", accepts: isWord, isRequired: true },
  port: wholeFrom(1, 65_535),
  user: { allowed: "a name", accepts: isWord },
  identityFile: text,
  bindAddress: text,
  remotePort: wholeFrom(0, 65_535),
  publicUrl: callback,
  sshOptions: record,
  command: text,
};

/**
 * Opens tunnels by `ssh -R`: what reaches a port of the host reaches the port of this machine. Closed at the cleanup.
 *
 * @throws EngineError `INVALID_OPTION`
 *
 * @example
 * ```ts
 * const app = await engine("shop", { plugins: [sshTunnel({ host: "tunnels.example.com", bindAddress: "0.0.0.0" })] });
 * if (app.tunnel) console.log(await app.openTunnel(3000)); // http://tunnels.example.com:40123
 * ```
 */
export function sshTunnel(options: SshTunnelOptions): EnginePlugin {
  checkGiven("sshTunnel", options, OPTIONS);
  return definePlugin({
    name: "ssh-tunnel",
    apply({ hooks, warn }) {
      const open = new Set<Forward>();
      hooks.tunnel.tapPromise("ssh-tunnel", async ({ host, port, scope }) => {
        const made = await forward(options, { host, port }, scope.signal);
        open.add(made);
        // Where the program is run again on a change, it stays for what is reached through it.
        if (!scope.watch) made.unref();
        made.onLost((lines) => {
          open.delete(made);
          const last = lines.map((line) => `\n  ssh: ${line}`).join("");
          warn("TUNNEL_LOST", `The tunnel from ${options.host} to ${host}:${port} is lost. Run again.${last}`);
        });
        return options.publicUrl?.(made.remotePort) ?? `http://${bracketed(options.host)}:${made.remotePort}`;
      });
      hooks.cleanup.tapPromise("ssh-tunnel", async () => {
        const all = [...open];
        open.clear();
        await Promise.all(all.map((one) => one.close()));
      });
    },
  });
}

/** What begins with a dash would be an option of ssh. */
function isWord(value: unknown): boolean {
  return typeof value === "string" && /^[^\s-]\S*$/.test(value);
}
