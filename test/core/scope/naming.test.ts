import { describe, expect, it } from "vitest";
import type { Scope } from "../../../core/contract/index.js";
import { testApps } from "../../helpers/apps/apps.ts";

const { engine, open } = testApps();

/** The innermost of nested scopes; the root if no names are given. */
async function nested(...names: readonly string[]): Promise<Scope> {
  const app = await open({ stage: "prod" });
  let scope: Scope = app;
  for (const name of names) scope = await scope.run(() => engine.run(name, (child) => child));
  return scope;
}

describe("scope.fqn(resourceID)", () => {
  it("is {app}/{stage}/{id} in the root", async () => {
    expect((await nested()).fqn("queue")).toBe("shop/prod/queue");
  });

  it("is {app}/{stage}/{child}/{id} in a child scope, however deep", async () => {
    expect((await nested("eu")).fqn("queue")).toBe("shop/prod/eu/queue");
    expect((await nested("eu", "west", "1")).fqn("queue")).toBe("shop/prod/eu/west/1/queue");
  });

  it.each([[""], ["a/b"], ["."], [".."], ["a\u0007"]])(
    "refuses %j, which would be the name of something else",
    async (id) => {
      const scope = await nested();
      expect(() => scope.fqn(id)).toThrow(expect.objectContaining({ code: "INVALID_NAME" }));
    },
  );
});

describe("scope.createPhysicalName(id, delimiter?, maxLength?)", () => {
  it("is {app}-{id}-{stage} in the root", async () => {
    expect((await nested()).createPhysicalName("queue")).toBe("shop-queue-prod");
  });

  it("is {app}-{scopes}-{id}-{stage} in a child scope: the stage comes last, once", async () => {
    expect((await nested("eu", "west")).createPhysicalName("queue")).toBe("shop-eu-west-queue-prod");
  });

  it("takes another delimiter", async () => {
    expect((await nested("eu")).createPhysicalName("queue", "_")).toBe("shop_eu_queue_prod");
    expect((await nested("eu")).createPhysicalName("a.b", "")).toBe("shopeuabprod");
    expect((await nested("eu")).createPhysicalName("queue", undefined)).toBe("shop-eu-queue-prod");
  });

  it("keeps names apart that are cut to the same length", async () => {
    const scope = await nested("a-scope-with-a-long-name");
    const names = ["queue-1", "queue-2"].map((id) => scope.createPhysicalName(id, "-", 30));
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name.length).toBeLessThanOrEqual(30);
  });

  it("never loops: a maxLength that is smaller than the delimiters is an error", async () => {
    const scope = await nested("a", "b", "c", "d");
    expect(() => scope.createPhysicalName("queue", "-", 3)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION" }),
    );
  });
});
