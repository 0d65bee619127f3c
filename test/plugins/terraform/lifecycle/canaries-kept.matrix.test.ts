/** Secret values of a provider that are imported, moved, returned or configured. */
import { describe, expect, test } from "vitest";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { sealState } from "../../../helpers/apps/admin-tools.js";
import { inStore, PASSWORD, textIn } from "../../../helpers/apps/secret-stage.js";
import { fixtureStages } from "./fixture-stage.ts";
import { CANARIES, declared, leaksIn } from "./provider-canaries.ts";

const made = fixtureStages();
/** Number of resources of {@link declared}, including the configuration. */
const ALL = 19;

describe("a value of a provider that must stay secret", () => {
  test("is in no trace of an import, a move, an upgrade, or an ephemeral resource", async () => {
    const { stage, fixture, before, plan, world, asked, logFile } = await made({ FIXTURE_TALK: "1" });
    const { given, element, derived, sensitive, found } = CANARIES;
    world.put("fixture_thing", "found", { id: "found", name: found, secret: sensitive, password: "password-0" });
    await stage.up(() => {
      const { versioned, thing } = before.fixture();
      versioned!("upgraded", { title: new Secret(given) });
      thing!("from", { name: new Secret(element) });
    });
    const first = JSON.stringify(stage.events);
    const program = async () => {
      const { thing, movedThing, versioned, ephemeral } = fixture();
      versioned!("upgraded", { name: new Secret(given) });
      movedThing!("to", { name: new Secret(element) }, { aliases: ["from"] });
      thing!("imported", { name: new Secret(found), secret: sensitive }, { adopt: true, importId: "found" });
      const { token } = await ephemeral.token!("token", { name: new Secret(derived) });
      thing!("session", { name: "session", secret: token });
    };
    const planned = JSON.stringify(await plan(program));
    await stage.up(program);
    const wanted = ["UpgradeResourceState", "MoveResourceState", "ImportResourceState", "OpenEphemeralResource"];
    expect(asked()).toEqual(expect.arrayContaining(wanted));
    for (const text of [first, planned, JSON.stringify(stage.events), await textIn(stage.store), logFile()])
      expect([leaksIn(text), /(password|token)-\d/.exec(text)]).toEqual([[], null]);
  });

  test("that the program gives as a secret comes back as one, and what is made of it does", async () => {
    const { stage, fixture, world } = await made();
    world.put("fixture_thing", "looked-for", { id: "looked-for", name: CANARIES.found, size: 3 });
    let all: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {};
    await stage.up(async () => {
      const { thing, derived, list } = declared(fixture);
      all = { thing: await thing, derived: await derived, list: await list };
    });
    const { thing, derived, list } = all;
    expect(thing?.name).toBeInstanceOf(Secret);
    expect(thing?.tags).toMatchObject({ a: expect.any(Secret), b: "seen" });
    expect(list?.list).toContainEqual(expect.any(Secret));
    expect([thing?.id, thing?.region]).not.toContainEqual(expect.any(Secret));
    expect(derived?.value).toBeInstanceOf(Secret);
    expect(derived?.result).toBeInstanceOf(Secret);
    expect(Secret.unwrap(derived?.result)).toBe(`made ${CANARIES.derived}`);
    await stage.up(() => void declared(fixture));
    expect(stage.summary).toEqual({ unchanged: ALL });
    await stage.up(() => void declared(fixture), { refresh: true });
    expect([stage.summary.unchanged, stage.told.filter((one) => one.startsWith("drift"))]).toEqual([ALL, []]);
  });
});

describe("the configuration of a provider", () => {
  const opened = { password: undefined };

  test("is not recorded without a password or key, and what was made with it is deleted by its program", async () => {
    const { stage, fixture, plan, world } = await made();
    const program = () =>
      void fixture({ note: CANARIES.config, token: CANARIES.token }).versioned!("one", { name: "a" });
    await stage.up(program, opened);
    expect(leaksIn(await textIn(stage.store))).toEqual([]);
    expect(stage.heard("resource:log").map(({ message }) => message)).toContain(
      "The engine did not record these values of the provider's configuration, because it has no password or key to encrypt them: note, token. Without them, a destroy needs the program. To record them, set ENGINE_PASSWORD or ENGINE_KEY.",
    );
    await stage.up(program, opened);
    expect(stage.summary).toEqual({ unchanged: 2 });
    const advice =
      'to encrypt note, token. Run the program that declares this provider. To check for drift, run "engine plan';
    const failures = await stage.failures(() => {}, { ...opened, phase: "destroy" });
    expect(failures).toMatchObject([{ code: "PROVIDER_MISSING", message: expect.stringContaining(advice) }]);
    const { errors } = await stage.engine.drift("app", { stage: "dev", argv: [], env: {}, stateStore: stage.store });
    expect(errors).toMatchObject([{ code: "PROVIDER_MISSING", message: expect.stringContaining(advice) }]);
    const [one] = world.all("fixture_versioned");
    world.put("fixture_versioned", String(one?.id), { ...one, name: "drifted" });
    const drifted = await plan(program, { ...opened, refresh: true });
    expect(drifted.counts.update).toBe(1);
    await stage.up(program, { ...opened, phase: "destroy" });
    expect(world.all("fixture_versioned")).toEqual([]);
  });

  test("is recorded once its stage has a password, and what was made with it is deleted without its program", async () => {
    const { stage, fixture, world } = await made();
    const program = () =>
      void fixture({ note: CANARIES.config, token: CANARIES.token }).versioned!("one", { name: "a" });
    await stage.up(program, opened);
    await sealState("app", inStore(stage.store, { password: PASSWORD }));
    await stage.up(program);
    expect(leaksIn(await textIn(stage.store))).toEqual([]);
    await stage.up(() => {}, { phase: "destroy" });
    expect(world.all("fixture_versioned")).toEqual([]);
  });
});
