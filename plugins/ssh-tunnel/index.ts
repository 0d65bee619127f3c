/** Opens public URLs through your own host, over `ssh`. */
import { callback, checkGiven, type RulesOf, record, text, wholeFrom } from "../../core/base/index.js";
import type { EnginePlugin } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { type Forward, forward } from "./forward.js";
import { bracketed } from "./ssh-arguments.js";

/** Options of {@link sshTunnel}. */
export interface SshTunnelOptions {
  /** Name or address of the host, or its name in `~/.ssh/config`. */
  readonly host: string;
  /** Port of its SSH server. Default: that of ssh, 22. */
  readonly port?: number;
  /** User name. Default: that of ssh. */
  readonly user?: string;
  /** File of the private key. Default: the keys that ssh and ssh-agent find. */
  readonly identityFile?: string;
  /**
   * Address of the host to listen on, e.g. `0.0.0.0`, if its `GatewayPorts` allows that. Default: that of the host,
   * usually its loopback address.
   */
  readonly bindAddress?: string;
  /** Port of the host to listen on. Default: 0, so the host chooses one. */
  readonly remotePort?: number;
  /** Returns the public URL of a port of the host. Default: `http://{host}:{port}`. */
  readonly publicUrl?: (remotePort: number) => string;
  /** Settings of ssh_config, e.g. `{ UserKnownHostsFile: "/run/known_hosts" }`; they override the plugin's own. */
  readonly sshOptions?: Readonly<Record<string, string>>;
  /** The ssh program. Default: `ssh`. */
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
 * Opens tunnels with `ssh -R`: connections to a port of the host reach the port of this machine. Closes them at the
 * cleanup.
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
        // In watch mode the tunnel stays open between two runs of the program.
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

/** Rejects a leading dash, which ssh would take for an option. */
function isWord(value: unknown): boolean {
  return typeof value === "string" && /^[^\s-]\S*$/.test(value);
}
