/** Secrets that a provider returns in places that its schema does not mark. */
import { describe, expect, test } from "vitest";
import type { Scope } from "../../../../core/contract/index.js";
import { appOf } from "../../../../core/run/index.js";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { sealState } from "../../../helpers/apps/admin-tools.js";
import { inStore, PASSWORD, textIn } from "../../../helpers/apps/secret-stage.js";
import { recordsOf } from "../../../helpers/apps/stage.js";
import { fixtureStages } from "./fixture-stage.ts";
import { formsIn } from "./provider-canaries.ts";

const made = fixtureStages();
const SECRET = "Canary/of-Mine";

describe("a secret that a provider gives back", () => {
  test("only when it is looked for again is not recorded in the clear", async () => {
    const { stage, fixture } = await made();
    const program = () => void fixture().echo!("echo", { name: "a", as: "late", value: new Secret(SECRET) });
    await stage.up(program);
    await stage.up(program, { refresh: true });
    expect([formsIn(await textIn(stage.store), SECRET), formsIn(JSON.stringify(stage.events), SECRET)]).toEqual([
      [],
      [],
    ]);
  });
});

describe("a value of a provider's configuration that comes back", () => {
  // The schema marks the token; the program declares that the note is a secret.
  const config = { note: new Secret("canary-noted"), token: "canary-token" };
  const opened = { password: undefined };
  const leaks = (text: string) => Object.values(config).flatMap((one) => formsIn(text, Secret.unwrap(one)));

  test.each(["login", "key", "private"])(
    "(%s) is not recorded without a password or key, and one thing is left, which a destroy deletes",
    async (as) => {
      const { stage, fixture, world } = await made();
      const program = () => void fixture(config).echo!("echo", { name: "a", as });
      for (const _run of [1, 2]) {
        expect(await stage.failures(program, opened)).toMatchObject([{ code: "PASSWORD_REQUIRED" }]);
        expect(leaks(await textIn(stage.store))).toEqual([]);
        expect(world.all("fixture_echo")).toHaveLength(1);
      }
      await stage.up(program, { ...opened, phase: "destroy" });
      expect(world.all("fixture_echo")).toEqual([]);
    },
  );

  test("is recorded once the stage has a password, by a run that replaces what is left", async () => {
    const { stage, fixture, world } = await made();
    const program = () => void fixture(config).echo!("echo", { name: "a", as: "plain" });
    await stage.failures(program, opened);
    await sealState("app", inStore(stage.store, { password: PASSWORD }));
    await stage.up(program);
    expect([world.all("fixture_echo").length, leaks(await textIn(stage.store))]).toEqual([1, []]);
    await stage.up(program);
    expect(stage.summary).toEqual({ unchanged: 2 });
  });

  test("of a configuration that is one secret is sealed", async () => {
    const { stage, fixture } = await made();
    await stage.up(
      () =>
        void fixture(new Secret({ note: "canary-noted", token: "canary-token" })).echo!("echo", {
          name: "a",
          as: "plain",
        }),
    );
    expect(leaks(await textIn(stage.store))).toEqual([]);
  });

  test("in a data source is not recorded without a password or key", async () => {
    const { stage, fixture, world } = await made();
    world.put("fixture_thing", "a", { id: `id-${config.note.unencrypted}`, name: "a" });
    const program = () => void fixture(config).data.lookup!("found", { name: "a" });
    expect(await stage.failures(program, opened)).toMatchObject([{ code: "PASSWORD_REQUIRED" }]);
    expect(leaks(await textIn(stage.store))).toEqual([]);
  });

  test("in a plan is refused without a password or key before anything is made", async () => {
    const { stage, fixture, plan, asked } = await made();
    const program = () => void fixture(config).echo!("echo", { name: "a", as: "planned" });
    const planned = await plan(program, opened).catch(String);
    expect(leaks(JSON.stringify(planned))).toEqual([]);
    expect(await stage.failures(program, opened)).toMatchObject([{ code: "PASSWORD_REQUIRED" }]);
    expect(asked()).not.toContain("ApplyResourceChange");
  });

  test("stays as it is if it is not declared as a secret", async () => {
    const { stage, fixture } = await made();
    let out: unknown;
    await stage.up(async () => {
      ({ out } = await fixture({ note: "harmless" }).echo!("echo", { name: "a", as: "plain" }));
    }, opened);
    expect(out).toBe("made of null harmless");
  });

  const outputsOf = (app: Scope) => JSON.stringify([...recordsOf(app)].map(({ output }) => output));

  test.each(["upgrade", "drift"])("is sealed after it was rotated, and the resource keeps it (%s)", async (why) => {
    const { stage, fixture, before, world } = await made();
    const old = why === "upgrade" ? before.fixture : fixture;
    const program = (of: typeof fixture, token: string, size: number) => () =>
      void of({ token }).echo!("echo", { name: "a", as: "kept", size });
    await stage.up(program(old, "canary-first", 1));
    await stage.up(program(old, "canary-second", 1));
    const [thing] = world.all("fixture_echo");
    if (why === "drift") world.put("fixture_echo", String(thing!.id), { ...thing!, count: 2 });
    const app = await stage.up(program(fixture, "canary-second", 1), { refresh: true });
    expect(JSON.stringify(world.all("fixture_echo"))).toContain("canary-first");
    expect(outputsOf(app)).not.toContain("canary-first");
  });

  test("and is also shown makes no secret", async () => {
    const { stage, fixture } = await made();
    const program = () =>
      void fixture({ note: "postgres", token: "postgres" }, { show: ["note"] }).echo!("echo", {
        name: "a",
        as: "plain",
      });
    await stage.up(program, opened);
  });

  test("is sealed if the name of the configuration contains it", async () => {
    const { stage, fixture } = await made();
    const program = () =>
      void fixture({ token: "postgres" }, { id: "postgresql" }).echo!("echo", { name: "a", as: "plain" });
    expect(outputsOf(await stage.up(program))).not.toContain("postgres null");
  });

  test("in an update that is refused without a key takes no private bytes away", async () => {
    const { stage, fixture } = await made();
    const program = (note: unknown, size: number) => () =>
      void fixture({ note }).echo!("echo", { name: "a", as: "private", size });
    await stage.up(program("plainly", 1), opened);
    await stage.failures(program(config.note, 2), opened);
    await sealState("app", inStore(stage.store, { password: PASSWORD }));
    const app = await stage.up(program(config.note, 2));
    const kept = [...appOf(app).ledger.contents.data.values()].map((one) => one.get("terraform")).find(Boolean);
    expect(kept).toHaveProperty("private");
  });

  test("in private bytes that were recorded without a key is sealed with the next change", async () => {
    const { stage, fixture } = await made();
    const program = (note: unknown, size: number) => () =>
      void fixture({ note }).echo!("echo", { name: "a", as: "private", size });
    const noted = config.note.unencrypted;
    await stage.up(program(noted, 1), opened);
    const inBase64 = Buffer.from(JSON.stringify({ text: `null ${noted}` })).toString("base64");
    await sealState("app", inStore(stage.store, { password: PASSWORD }));
    const times = async () => (await textIn(stage.store)).split(inBase64).length - 1;
    const before = await times();
    expect(before).toBeGreaterThan(0);
    await stage.up(program(config.note, 2));
    // Only copies and the history still contain it.
    expect(await times()).toBeLessThanOrEqual(before);
  });
});

test("a group that has a computed secret makes nothing without a password or key", async () => {
  const { stage, fixture, asked } = await made();
  const program = () => void fixture().login!("login", { name: "a" });
  expect(await stage.failures(program, { password: undefined })).toMatchObject([{ code: "PASSWORD_REQUIRED" }]);
  expect(asked()).not.toContain("ApplyResourceChange");
});
