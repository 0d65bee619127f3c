import { describe, expect, test } from "vitest";
import type { EnginePlugin, Scope } from "../../../core/contract/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { Resource } from "../../../core/resource/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.ts";
import { rejectedCode } from "../../helpers/checks/codes.ts";

interface Tunnels {
  readonly plugin: EnginePlugin;
  /** Requested targets, e.g. `127.0.0.1:3000`. */
  readonly asked: string[];
}

function tunnels(
  answer: (asked: number) => string | undefined | Promise<string> = (n) => `https://t${n}.test/`,
): Tunnels {
  const asked: string[] = [];
  const plugin = definePlugin({
    name: "tunnels",
    apply({ hooks }) {
      hooks.tunnel.tapPromise("tunnels", async ({ host, port }) => answer(asked.push(`${host}:${port}`)));
    },
  });
  return { plugin, asked };
}

const opening = (port: number, host?: string) => (app: Scope) =>
  app.openTunnel(port, host === undefined ? {} : { host });

describe("openTunnel", () => {
  test("gives the URL that a plugin answers with, to the program and to handlers, and asks once a port", async () => {
    const { plugin, asked } = tunnels();
    const stage = new Stage({ tunnel: true, plugins: [plugin] });
    const Hook = Resource(newKind(), {
      create: async ({ scope, tunnel }) => ({ url: tunnel ? await scope.openTunnel(3000) : "" }),
    });
    const urls: unknown[] = [];
    await stage.up(async (app) => {
      urls.push(...(await Promise.all([app.openTunnel(3000), app.openTunnel(3000), app.openTunnel(3001)])));
      urls.push((await Hook("a")).url, await app.openTunnel(3000, { host: "::1" }));
    });
    const [one, two, three] = [1, 2, 3].map((n) => `https://t${n}.test/`);
    expect(urls).toEqual([one, one, two, one, three]);
    expect(asked).toEqual(["127.0.0.1:3000", "127.0.0.1:3001", "::1:3000"]);
    expect(stage.heard("tunnel:opened")).toMatchObject([
      { host: "127.0.0.1", port: 3000, url: one },
      { port: 3001 },
      { host: "::1" },
    ]);
  });

  test("asks again in a run that begins after the cleanup", async () => {
    const { plugin, asked } = tunnels();
    const app = await new Stage({ tunnel: true, plugins: [plugin] }).up(opening(3000));
    await app.run(() => app.openTunnel(3000));
    await app.finalize();
    expect(asked).toHaveLength(2);
  });

  test("asks again after a failure, and does not fail the run of who caught it", async () => {
    const { plugin } = tunnels((n) => (n === 1 ? Promise.reject(new Error("down")) : "https://up.test"));
    const stage = new Stage({ tunnel: true, plugins: [plugin] });
    let url = "";
    await stage.up(async (app) => {
      expect(await rejectedCode(app.openTunnel(3000))).toEqual([
        "PLUGIN_FAILED",
        'Plugin "tunnels" failed in hook "tunnel": down',
      ]);
      url = await app.openTunnel(3000);
    });
    expect(url).toBe("https://up.test");
  });

  test.each<[string, object, Tunnels | undefined, (app: Scope) => Promise<string>, string, RegExp]>([
    ["the option is false", {}, tunnels(), opening(3000), "NO_TUNNEL", /option "tunnel" is false. Pass --tunnel/],
    ["no plugin opens any", { tunnel: true }, undefined, opening(3000), "NO_TUNNEL", /no plugin opens tunnels/],
    [
      "no plugin answers",
      { tunnel: true },
      tunnels(() => undefined),
      opening(3000),
      "NO_TUNNEL",
      /no plugin opened a tunnel to this port/,
    ],
    ["the answer is no URL", { tunnel: true }, tunnels(() => "here"), opening(3000), "PLUGIN_FAILED", /not a URL/],
    ["there is no such port", { tunnel: true }, tunnels(), opening(65_536), "INVALID_CALL", /from 1 to 65535/],
    [
      "there is no such host",
      { tunnel: true },
      tunnels(),
      opening(1, "a b"),
      "INVALID_CALL",
      /must be a name or an address, not "a b"/,
    ],
  ])("is refused where %s", async (_where, options, made, open, code, message) => {
    const stage = new Stage({ ...options, plugins: made ? [made.plugin] : [] });
    await stage.up(async (app) => {
      const [found, text] = await rejectedCode(open(app));
      expect(found).toBe(code);
      expect(text).toMatch(message);
    });
  });

  test("comes too late after the end of the run", async () => {
    const app = await new Stage({ tunnel: true, plugins: [tunnels().plugin] }).up();
    expect((await rejectedCode(app.openTunnel(3000)))[0]).toBe("NO_SCOPE");
  });

  test("opens nothing in a plan, and in the phases read and destroy: its URL is unknown there", async () => {
    const { plugin, asked } = tunnels();
    const Hook = Resource<{ id: string }, { url: string }>(newKind(), { create: ({ id }) => ({ id }) });
    const program = async (app: Scope) => Hook("a", { url: `${await app.openTunnel(3000)}/hook` });
    const stage = new Stage({ tunnel: true, plugins: [plugin] });
    const made = await stage.engine.plan(
      "app",
      { stage: "dev", argv: [], env: {}, stateStore: stage.store, tunnel: true, plugins: [plugin] },
      program,
    );
    expect(made.actions).toMatchObject([{ action: "create", fqn: "app/dev/a" }]);
    await stage.up(program);
    await stage.up(program, { phase: "read" });
    await stage.up(program, { phase: "destroy" });
    expect(asked).toEqual(["127.0.0.1:3000"]);
  });
});
