/** Values that must stay secret, one in each place where a program or a provider can put one. */
import { describe, expect, test } from "vitest";
import { stageAdmin } from "../../../../plugins/admin/index.js";
import { planLines } from "../../../../plugins/console/plan-view.js";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { stageSource } from "../../../../plugins/ui/sources/index.js";
import { PASSWORD, textIn } from "../../../helpers/secret-stage.js";
import { type Fixture, type FixtureStage, fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

const CANARIES = {
  config: "canary-configured",
  token: "canary-of-the-token",
  env: "canary-of-the-environment",
  sensitive: "canary-marked",
  nested: "canary-marked-inside",
  given: "canary-given",
  element: "canary-in-a-map",
  inList: "canary-in-a-list",
  derived: 'canary "derived"',
  written: "canary-written",
  writtenInside: "canary-written-inside",
  found: "canary-looked-for",
};

function declared(fixture: FixtureStage["fixture"]) {
  const { config, token, env, sensitive, nested, given, element, inList, derived, written, writtenInside, found } =
    CANARIES;
  const all: Fixture & { readonly data: Fixture } = fixture({ note: config, token }, { env: { NOTE: env } });
  const tags = { a: new Secret(element), b: "seen" };
  const thing = all.thing!("thing", { name: new Secret(given), secret: sensitive, tags });
  return {
    thing,
    nested: all.nested!("nested", { single: { name: "a", secret: nested }, map: { x: { name: "b", secret: nested } } }),
    list: all.attributes!("list", { list: [new Secret(inList), "seen"] }),
    derived: all.behaviour!("derived", { name: "b", value: new Secret(derived) }),
    written: all.writeOnly!("written", { name: "a", password: written, access: [{ user: "u", token: writtenInside }] }),
    found: all.data.lookup!("found", { name: new Secret(found) }, { dependsOn: [thing] } as object),
  };
}

const leaksIn = (text: string): string[] =>
  Object.entries(CANARIES).flatMap(([where, canary]) => {
    const forms = [canary, JSON.stringify(canary).slice(1, -1), Buffer.from(canary).toString("base64").slice(0, 14)];
    return forms.some((form) => text.includes(form)) ? [where] : [];
  });

describe("a value of a provider that must stay secret", () => {
  test("is in no plan, state, event, log or view of a stage", async () => {
    const { stage, fixture, plan, world, log, logFile } = await made({ FIXTURE_TALK: "1" });
    world.put("fixture_thing", "looked-for", { id: "looked-for", name: CANARIES.found, size: 3 });
    const program = () => void declared(fixture);
    const planned = await plan(program);
    await stage.up(program);
    const events = JSON.stringify(stage.events);
    const [thing] = world.all("fixture_thing").filter(({ name }) => name === CANARIES.given);
    const password = String(thing?.password);
    const id = String(thing?.id);
    world.put("fixture_thing", id, { ...thing, size: 7, secret: `${CANARIES.sensitive}-drifted`, tags: {} });
    const again = await plan(program, { refresh: true });
    const drift = await stage.engine.drift("app", {
      ...{ stage: "dev", argv: [], env: {}, stateStore: stage.store, password: "correct horse" },
    });
    expect(drift.resources.map(({ fqn }) => fqn)).toEqual(["app/dev/thing"]);
    const replaced = await plan(() => void fixture({ note: "" }).nested!("nested", { single: { name: "other" } }));
    expect(replaced.counts.replace).toBe(1);
    const texts = {
      ...{ planned, again, replaced, drift },
      events,
      shown: planLines(again).join("\n"),
      page: await pageOf(stage.store),
      state: await textIn(stage.store),
      logged: logFile(),
    };
    for (const [where, one] of Object.entries(texts)) {
      const text = typeof one === "string" ? one : JSON.stringify(one);
      expect([where, leaksIn(text), text.includes(password)]).toEqual([where, [], false]);
    }
    // They were there to be seen.
    expect(leaksIn(log.join("\n"))).toEqual(Object.keys(CANARIES).filter((where) => where !== "env"));
    expect(log.join("\n")).toContain(password);
    expect(
      leaksIn(JSON.stringify(["thing", "nested", "attributes"].map((type) => world.all(`fixture_${type}`)))),
    ).toEqual(["sensitive", "nested", "given", "inList", "found"]);
    expect(events).toContain("As you say");
    expect(events).toContain("As made");
  });

  test("is in no error of its provider, and in no record of a failed change", async () => {
    const { stage, fixture } = await made({ FIXTURE_TALK: "1" });
    const { config, derived, sensitive } = CANARIES;
    const program = () => {
      const { behaviour, thing } = fixture({ note: config });
      behaviour!("fails", { name: "a", value: new Secret(derived), onCreate: "fail" });
      behaviour!("partly", { name: "a", value: new Secret(derived), onCreate: "fail-partial" });
      thing!("refused", { name: "refused", secret: sensitive });
    };
    const failures = await stage.failures(program);
    expect(failures.map((failure) => Reflect.get(Object(failure), "code")).sort()).toEqual([
      "PROVIDER_REFUSED",
      "PROVIDER_REFUSED",
      "PROVIDER_REFUSED",
    ]);
    const events = JSON.stringify(stage.events);
    expect(events).toContain("It was told to fail. ");
    expect([leaksIn(events), leaksIn(await textIn(stage.store))]).toEqual([[], []]);
  });

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
    expect(stage.summary).toEqual({ skipped: 7 });
    await stage.up(() => void declared(fixture), { refresh: true });
    expect([stage.summary.skipped, stage.told.filter((one) => one.startsWith("drift"))]).toEqual([7, []]);
  });

  test("that a function of the provider is given makes its result a secret", async () => {
    const { stage, fixture } = await made();
    let results: readonly unknown[] = [];
    await stage.up(async () => {
      const { functions } = fixture();
      results = [await functions.join!("-", "a", new Secret("canary")), await functions.join!("-", "a", "b")];
    });
    expect(results).toEqual([expect.any(Secret), "a-b"]);
    expect(Secret.unwrap(results[0])).toBe("a-canary");
  });

  test("needs a password or key, before its provider is asked to make anything", async () => {
    const { stage, fixture, asked } = await made();
    const program = () => void fixture().thing!("one", { name: "a", secret: "canary" });
    expect(await stage.failures(program, { password: undefined })).toMatchObject([{ code: "PASSWORD_REQUIRED" }]);
    expect(asked()).not.toContain("ApplyResourceChange");
  });
});

/** All that `engine ui` is given of a stage that it has no password of. */
async function pageOf(store: FixtureStage["stage"]["store"]): Promise<string> {
  const stages = stageSource(store, { env: {} });
  const name = { app: "app", stage: "dev" };
  const rows = await stages.resources(name, { from: 0, limit: 100 });
  const each = await Promise.all(
    rows.paths
      .map((path) => `app/dev/${path}`)
      .map(async (fqn) => [
        await stages.resource(name, fqn),
        await stages.values(name, fqn),
        await stages.neighbours(name, fqn),
      ]),
  );
  const searched = await Promise.all(Object.values(CANARIES).map((canary) => stages.search(name, canary)));
  expect(searched.flat()).toEqual([]);
  await stages.close();
  return JSON.stringify([rows, each]);
}

describe("the configuration of a provider", () => {
  const opened = { password: undefined };

  test("is not recorded without a password or key, and what was made with it is deleted by its program", async () => {
    const { stage, fixture, plan, world } = await made();
    const program = () =>
      void fixture({ note: CANARIES.config, token: CANARIES.token }).versioned!("one", { name: "a" });
    await stage.up(program, opened);
    expect(leaksIn(await textIn(stage.store))).toEqual([]);
    expect(stage.heard("resource:log").map(({ message }) => message)).toContain(
      "Not recorded without a password or key: note, token. A destroy needs the program.",
    );
    await stage.up(program, opened);
    expect(stage.summary).toEqual({ skipped: 2 });
    const advice = 'no password or key for note, token. Run the program that declares it. For drift, run "engine plan';
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
    const admin = stageAdmin(stage.store, { app: "app", stage: "dev", password: PASSWORD });
    await admin.seal();
    await admin.close();
    await stage.up(program);
    expect(leaksIn(await textIn(stage.store))).toEqual([]);
    await stage.up(() => {}, { phase: "destroy" });
    expect(world.all("fixture_versioned")).toEqual([]);
  });

  test("is recorded and shown as it is where the program says that it is harmless", async () => {
    const { stage, fixture } = await made();
    const program = () => void fixture({ note: "harmless", token: CANARIES.token }, { show: ["note"] });
    await stage.up(program);
    expect(await textIn(stage.store)).toContain("harmless");
    expect(leaksIn(await textIn(stage.store))).toEqual([]);
  });

  test.each([
    ["has not", "nots", 'show: the configuration has no "nots". Did you mean "note"?'],
    ["calls sensitive", "token", 'show: "token" is sensitive'],
  ])("that shows what its schema %s is refused", async (_what, name, message) => {
    const { stage, fixture } = await made();
    const failing = stage.failures(() => void fixture({}, { show: [name] }));
    expect(await failing).toMatchObject([{ code: "INVALID_OPTION", message: expect.stringContaining(message) }]);
  });
});
