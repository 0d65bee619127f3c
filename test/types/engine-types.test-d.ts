/**
 * Uses of engine(), scopes and plugins that compile, and uses that must not: `tsc -p test/tsconfig.json` is the test.
 */
import type { EnginePlugin } from "../../core/contract/plugin/index.js";
import type { ExecResult, PendingResource, Phase, ResourceRef, Scope as ScopeType } from "../../plugins/index.js";
import { definePlugin, engine, memoryStore, Scope, Secret } from "../../plugins/index.js";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function same<A, B>(equal: Same<A, B>): void;

export async function scopes(): Promise<void> {
  const app = await engine("app", { stage: "dev", stateStore: memoryStore(), quiet: undefined });
  same<typeof app, ScopeType>(true);
  same<typeof app.phase, Phase>(true);
  same<typeof app.parent, ScopeType | undefined>(true);
  same<typeof app.password, string | undefined>(true);
  same<typeof app.resources, Map<string, PendingResource<unknown>>>(true);
  same<typeof app.children, Map<string, ScopeType>>(true);
  same<PendingResource, PendingResource<unknown>>(true);
  same<typeof Scope.current, ScopeType>(true);
  same<typeof Scope.root, ScopeType>(true);

  const seven = await engine.run("child", async (scope) => {
    same<typeof scope, ScopeType>(true);
    return 7;
  });
  same<typeof seven, number>(true);
  const text = await engine.run("child", { quiet: true }, () => "text");
  same<typeof text, string>(true);
  const phase = await app.run((scope) => scope.phase);
  same<typeof phase, Phase>(true);
  const deferred = app.defer(async () => 7);
  same<typeof deferred, Promise<number>>(true);
  const value = await app.get<number>("key");
  same<typeof value, number | undefined>(true);
  const known = await app.has("id", "kind");
  same<typeof known, boolean>(true);
  const end = await app.exec("id", ["program", "argument"], { env: { A: "a", B: new Secret("b"), C: undefined } });
  same<typeof end, ExecResult>(true);
  const extracted = await app.spawn("id", { command: "program", extract: (line) => line });
  same<typeof extracted, string>(true);
  const nothing = await app.spawn("id", { command: "program" });
  same<typeof nothing, string | undefined>(true);
  // @ts-expect-error A list needs a program.
  void app.exec("id", []);
  const stage = engine.env.STAGE;
  // `engine.env` throws for a variable that is not set, in spite of its index signature.
  same<typeof stage, string | undefined>(true);
  const network = await engine.ref<{ readonly url: string }>("network", { stage: "prod", password: undefined });
  same<typeof network, { readonly url: string }>(true);
  const unknown = await engine.ref("network");
  same<typeof unknown, unknown>(true);
  const offered = app.outputs({ url: Promise.resolve("x"), secret: engine.secret("x"), at: new Date(0) });
  same<typeof offered, Promise<void>>(true);
  await app.outputs(undefined);
  await app.finalize({ force: true, noop: true });
  await engine.destroy();
  await engine.destroy(app);
  await using _disposed = app;
}

export function mistakes(app: ScopeType): void {
  // @ts-expect-error There is no such phase.
  void engine("app", { phase: "deploy" });
  // @ts-expect-error There is no such option.
  void engine("app", { stages: "dev" });
  // @ts-expect-error A name is a string.
  void engine();
  // @ts-expect-error The stage belongs to the whole app.
  void engine.run("child", { stage: "prod" }, () => 1);
  // @ts-expect-error There is no function.
  void engine.run("child", {});
  // @ts-expect-error Another app is named.
  void engine.ref();
  // @ts-expect-error There is no such option.
  void engine.ref("network", { stages: "prod" });
  // @ts-expect-error What is to be offered has to be said.
  void app.outputs();
  // @ts-expect-error Without a type nothing is known of what another app offers.
  void engine.ref("network").then(({ url }) => url);
  // @ts-expect-error What may not be there must not stand for the current scope.
  void engine.destroy(app.resources.get("typo"));
  // @ts-expect-error Only a call without an argument means the current scope.
  void engine.destroy(undefined);
  // @ts-expect-error The phase is fixed.
  app.phase = "up";
  // @ts-expect-error The password is not to be changed.
  app.password = "x";
  // @ts-expect-error Environment variables are only read.
  engine.env.STAGE = "x";
  // @ts-expect-error A scope is made by engine() and engine.run().
  new Scope();
  // @ts-expect-error Not by who knows what it is made of, either.
  new Scope("app", "dev", undefined, Object());
}

export const plugin: EnginePlugin = definePlugin({
  name: "types",
  apply({ hooks, events, control, warn }) {
    hooks.beforeApply.tap("types", ({ fqn, action }) => {
      same<typeof fqn, string>(true);
      same<typeof action, "create" | "update" | "replace" | "adopt" | "read" | "unchanged" | "delete">(true);
    });
    hooks.options.tap("types", (context) => ({ ...context, options: { ...context.options, quiet: true } }));
    // @ts-expect-error The hook is synchronous.
    hooks.options.tapPromise("types", async (context) => context);
    // @ts-expect-error A plugin taps and does not call.
    hooks.beforeApply.call;
    // @ts-expect-error There is no such hook.
    hooks.afterEverything;
    events.on("resource:created", (event) => {
      same<typeof event.duration, number>(true);
      const ref: ResourceRef = event;
      warn("TYPES", `${ref.fqn} ${String(control.status.isLive)}`);
    });
    // @ts-expect-error There is no such event.
    events.on("resource:gone", () => {});
    // @ts-expect-error Observers do not emit.
    events.emit;
  },
});
