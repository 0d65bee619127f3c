/** The life cycle of an admin: its store, its options, its output and its masked values. */
import { setImmediate } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { timeOfDay } from "../../../core/base/index.js";
import { stageAdmin } from "../../../plugins/admin/index.js";
import { redactor } from "../../../plugins/secrets/redactor.js";
import { PASSWORD, textIn } from "../../helpers/apps/secret-stage.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { administered, filled, KINDS } from "./administered.js";

const given = administered();
const password = PASSWORD;

describe.each(KINDS)("the store of an admin in %s", (kind) => {
  test("is made with the first thing that is done, once, and closed with the admin, once", async () => {
    const all = await given(kind);
    await filled(all);
    const admin = all.admin({ password });
    expect(all.made).toEqual({ opened: 0, closed: 0 });
    await Promise.all([admin.list(), admin.history(), admin.move("web", "site"), admin.show("db", { secrets: true })]);
    expect(all.made).toEqual({ opened: 1, closed: 0 });
    await admin.close();
    await admin[Symbol.asyncDispose]();
    expect(all.made).toEqual({ opened: 1, closed: 1 });
    expect(await rejectedCode(admin.list())).toEqual(["INVALID_CALL", expect.stringContaining("app/dev")]);
  });

  test("is not made for nothing, and is left open where it was handed over", async () => {
    const all = await given(kind);
    await all.admin().close();
    expect(all.made).toEqual({ opened: 0, closed: 0 });
    let closed = 0;
    const store = { ...all.store, close: async () => void closed++ };
    const admin = all.admin({}, store);
    await admin.list();
    await admin.close();
    expect(closed).toBe(0);
  });
});

describe("an admin", () => {
  test("tells plugins what cannot be proven, and hides secrets in errors", async () => {
    const all = await given("memory");
    await filled(all);
    const told: string[] = [];
    const listening = {
      name: "listening",
      apply: ({ events }: { events: { on(name: "warning", observer: (event: { code: string }) => void): void } }) =>
        events.on("warning", ({ code }) => void told.push(code)),
    };
    await all.admin({ plugins: [listening] }).list();
    expect(told).toEqual(["UNVERIFIED"]);
    const admin = all.admin({ password });
    await admin.show("db", { secrets: true });
    await expect(
      admin.forget(["web"], {
        approve: () => {
          throw new Error("it has hush in it");
        },
      }),
    ).rejects.toThrow("it has *** in it");
    expect(await textIn(all.store)).not.toContain("hush");
  });

  test("holds the secrets that it has met no longer than it is there, and its own runs neither", async () => {
    const all = await given("memory");
    await filled(all);
    let held = 0;
    const holding = vi.spyOn(redactor, "hold").mockImplementation(() => {
      let isHeld = true;
      held++;
      return () => {
        if (isHeld) held--;
        isHeld = false;
      };
    });
    try {
      const admin = all.admin({ password });
      await admin.show("db", { secrets: true });
      await admin.move("web", "site");
      expect(held).toBe(1);
      await admin.close();
      expect(held).toBe(0);
    } finally {
      holding.mockRestore();
    }
  });

  test("that could not make its store tries again", async () => {
    const all = await given("memory");
    await filled(all);
    let isDown = true;
    const admin = all.admin({}, () => {
      if (isDown) throw new Error("no route");
      return all.store;
    });
    expect((await rejectedCode(admin.list()))[0]).toBe("STORE_FAILED");
    isDown = false;
    expect((await admin.list()).resources).toHaveLength(3);
  });

  test("is given options that are checked as those of engine() are", () => {
    expect(() => stageAdmin(memoryStore(), { app: "a/b" })).toThrow(/app name/);
    expect(() => stageAdmin(memoryStore(), { app: "a", env: {}, lockTimeout: -1 })).toThrow(/lockTimeout/);
  });

  test("begins its sessions when they begin, however long it has been there", async () => {
    const all = await given("memory");
    await filled(all);
    const admin = all.admin({ password });
    const made = timeOfDay();
    while (timeOfDay() === made) await setImmediate();
    const begun = timeOfDay();
    await admin.forget(["logo"]);
    const { since = "" } = (await admin.history()).at(-1)?.run ?? {};
    expect(since >= begun, `${since} is not before ${begun}`).toBe(true);
  });
});
