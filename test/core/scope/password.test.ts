import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { HandlerBase, Scope } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { recorder, rejection, testApps } from "../../helpers/apps/apps.ts";
import { untyped } from "../../helpers/apps/options.ts";
import { newThings } from "../../helpers/apps/things.ts";

const { engine, open } = testApps();
const password = "correct-horse-battery";

/** Everything that printing and serializing reveals. */
function shown(value: unknown): string {
  const deep = { showHidden: true, depth: Number.POSITIVE_INFINITY, getters: true, showProxy: true } as const;
  return `${inspect(value, deep)}\n${inspect(value)}\n${JSON.stringify(value)}`;
}

async function openWithPassword(): Promise<{ app: Scope; child: Scope }> {
  const app = await open({ password });
  const { Thing } = newThings();
  const child = await engine.run("child", { password: `${password}-too` }, async (scope) => {
    await Thing("inner");
    return scope;
  });
  await Thing("outer");
  return { app, child };
}

describe("the password", () => {
  it("does not show when a scope is printed or serialised", async () => {
    const { app, child } = await openWithPassword();
    for (const scope of [app, child]) {
      expect(shown(scope)).not.toContain(password);
      expect(shown({ ...scope })).not.toContain(password);
      expect(shown(Object.entries(scope))).not.toContain(password);
    }
  });

  it("does not show in what a scope leads to", async () => {
    const { app, child } = await openWithPassword();
    for (const value of [app.children, app.hooks, app.events, app.signal, child.resources, child.parent]) {
      expect(shown(value)).not.toContain(password);
    }
  });

  it("does not show when a pending resource is printed", async () => {
    const { app } = await openWithPassword();
    const pending = app.resources.get("outer");
    expect(inspect(pending, { showHidden: true, depth: Number.POSITIVE_INFINITY, getters: true })).not.toContain(
      password,
    );
  });

  it("does not show when a handler prints its context", async () => {
    const seen: HandlerBase[] = [];
    const Looking = Resource("test:Looking", {
      create(context) {
        seen.push(context);
        return {};
      },
    });
    await open({ password });
    await Looking("a");
    expect(seen).toHaveLength(1);
    expect(shown(seen)).not.toContain(password);
  });

  it("does not show in errors", async () => {
    const app = await open({ password });
    const { Thing } = newThings();
    const errors = [
      await rejection(engine.run("a", untyped({ password: { secret: password } }), () => {})),
      await rejection(engine.run("a/b", () => {})),
      await rejection(Thing("a", { fails: "No paper." })),
      await rejection(open(untyped({ password: [password] }), "other")),
      await rejection(open(untyped({ password, passwort: password }), "other")),
      await rejection(open({ password, stateStore: undefined }, "other")),
      await rejection(app.finalize()),
    ];
    expect(shown(errors)).not.toContain(password);
  });

  it("does not show in events", async () => {
    const heard = recorder();
    const app = await open({ password, plugins: [heard.plugin] });
    const { Thing } = newThings();
    await engine.run("child", { password: `${password}-too` }, () => Thing("a"));
    await rejection(Thing("b", { fails: "No paper." }));
    await rejection(app.finalize());
    expect(heard.events.length).toBeGreaterThan(5);
    expect(shown(heard.events)).not.toContain(password);
  });
});
