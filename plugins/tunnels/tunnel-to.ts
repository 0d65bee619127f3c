/** Public URLs of local ports, through a plugin that opens tunnels. */
import { EngineError } from "../../core/base/index.js";
import type { Scope, TunnelOptions } from "../../core/contract/index.js";
import { type App, appOf, isTooLate, tooLate } from "../../core/run/index.js";

/** Tunnels that are open or being opened, by their target. */
const opened = new WeakMap<App, Map<string, Promise<string>>>();

export async function tunnelTo(
  scope: Scope,
  port: number,
  { host = "127.0.0.1" }: TunnelOptions = {},
): Promise<string> {
  const app = appOf(scope);
  const what = `openTunnel(${String(port)})`;
  check(scope, port, host, what);
  if (isTooLate(app, "live")) throw tooLate(scope, what);
  if (app.options.plan || app.options.phase !== "up") {
    return app.run.performer.unknown(`${scope.chain.join("/")} ${what}`) as string;
  }
  await app.ready();
  app.signal.throwIfAborted();
  const target = `${host}:${port}`;
  const tunnels = tunnelsOf(app);
  const before = tunnels.get(target);
  if (before !== undefined) return before;
  const opening = open(scope, port, host, what);
  tunnels.set(target, opening);
  // The next call retries.
  opening.catch(() => tunnels.delete(target));
  return opening;
}

/** @throws EngineError `INVALID_CALL`, `NO_TUNNEL` */
function check(scope: Scope, port: unknown, host: unknown, what: string): void {
  if (!Number.isSafeInteger(port) || Number(port) < 1 || Number(port) > 65_535) {
    throw new EngineError("INVALID_CALL", `${what} needs a port number from 1 to 65535.`);
  }
  if (typeof host !== "string" || host === "" || /[\s\0]/.test(host)) {
    throw new EngineError(
      "INVALID_CALL",
      `The host of ${what} must be a name or an address, not ${JSON.stringify(host)}.`,
    );
  }
  if (!scope.tunnel)
    throw noTunnel(
      scope,
      what,
      'the option "tunnel" is false. Pass --tunnel or { tunnel: true }. If the program can work without a tunnel, check scope.tunnel before the call',
    );
  if (!appOf(scope).calls.tunnel.used) {
    throw noTunnel(
      scope,
      what,
      "no plugin opens tunnels. Add a plugin that does, e.g. engine(name, { plugins: [sshTunnel(…)] })",
    );
  }
}

function noTunnel(scope: Scope, what: string, why: string): EngineError {
  const message = `${what} in "${scope.chain.join("/")}" got no tunnel: ${why}.`;
  return new EngineError("NO_TUNNEL", message);
}

function tunnelsOf(app: App): Map<string, Promise<string>> {
  const known = opened.get(app);
  if (known) return known;
  const tunnels = new Map<string, Promise<string>>();
  opened.set(app, tunnels);
  return tunnels;
}

async function open(scope: Scope, port: number, host: string, what: string): Promise<string> {
  const app = appOf(scope);
  // Plugins close their tunnels at the cleanup: a later run in this process opens new ones.
  app.cleanup.add(() => opened.delete(app));
  const url = await app.calls.tunnel.call({ port, host, scope });
  if (url === undefined)
    throw noTunnel(scope, what, "no plugin opened a tunnel to this port. Check the options of your tunnel plugin");
  if (typeof url !== "string" || !URL.canParse(url)) {
    const message = `A plugin opened a tunnel to ${host}:${port} and returned ${JSON.stringify(url)}, which is not a URL.`;
    throw new EngineError("PLUGIN_FAILED", message);
  }
  app.events.emit("tunnel:opened", { host, port, url });
  return url;
}
