/** Secret values of a provider: no plan, state, event, log, view or error of a stage contains them. */
import { describe, expect, test } from "vitest";
import { scopeOwner } from "../../../../core/contract/index.js";
import { appOf } from "../../../../core/run/index.js";
import { planLines } from "../../../../plugins/console-output/plan-view.js";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { stageSource } from "../../../../plugins/ui/sources/index.js";
import { textIn } from "../../../helpers/apps/secret-stage.js";
import { type FixtureStage, fixtureStages } from "./fixture-stage.ts";
import { CANARIES, declared, leaksIn } from "./provider-canaries.ts";

const made = fixtureStages();

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
    // The unmasked log did contain them.
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

  test("needs a password or key, before its provider is asked to make anything", async () => {
    const { stage, fixture, asked } = await made();
    const program = () => void fixture().thing!("one", { name: "a", secret: "canary" });
    expect(await stage.failures(program, { password: undefined })).toMatchObject([{ code: "PASSWORD_REQUIRED" }]);
    expect(asked()).not.toContain("ApplyResourceChange");
  });
});

/** Everything that `engine ui` gets of a stage without its password. */
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
  test("is recorded and shown as it is where the program says that it is harmless", async () => {
    const { stage, fixture } = await made();
    const program = () => void fixture({ note: "harmless", token: CANARIES.token }, { show: ["note"] });
    await stage.up(program);
    expect(await textIn(stage.store)).toContain("harmless");
    expect(leaksIn(await textIn(stage.store))).toEqual([]);
  });

  test("is opened by the password of the app in a scope with a password of its own", async () => {
    const { stage, fixture } = await made();
    const app = await stage.up(() =>
      stage.engine.run("tenants", { password: "the tenants'" }, async () => {
        await fixture({ token: "canary-token" }).thing!("one", { name: "a" });
      }),
    );
    const { data } = appOf(app).ledger.contents;
    const copies = ["", "tenants"].map((path) => data.get(scopeOwner(path))?.get("terraform:provider:tenants/fixture"));
    expect(copies).toEqual([undefined, expect.anything()]);
    expect(await stage.failures(() => {}, { phase: "destroy" })).toMatchObject([{ code: "PASSWORD_REQUIRED" }]);
  });

  test.each([
    [
      "has not",
      "nots",
      'The option "show" names "nots", which is neither in the provider\'s configuration nor in { env }. Did you mean "note"?',
    ],
    ["calls sensitive", "token", 'The option "show" names "token", which is sensitive'],
  ])("that shows what its schema %s is refused", async (_what, name, message) => {
    const { stage, fixture } = await made();
    const failing = stage.failures(() => void fixture({}, { show: [name] }));
    expect(await failing).toMatchObject([{ code: "INVALID_OPTION", message: expect.stringContaining(message) }]);
  });
});

/** Longer than any text before it is cut. */
const LONG = `cut-canary-at-the-beginning-${"0123456789".repeat(60)}-cut-canary-at-the-end`;

describe("no part of a long secret is printed", () => {
  test.each([
    ["where the call of a provider fails, and its long text is cut", "fail-call", "Error: zzz"],
    ["where the last line of a crash is cut", "panic", "panic: zzz"],
    ["where a line of the log is cut", "log", "zzz"],
    [
      "where a provider makes another value than it has planned",
      "lie-value",
      "is a sensitive value that is not the planned one",
    ],
  ])("%s", async (_where, command, text) => {
    const { stage, fixture, log, logFile } = await made();
    const program = () => void fixture().behaviour!("a", { name: "a", value: new Secret(LONG), onCreate: command });
    const failures = command === "log" ? await stage.up(program) : await stage.failures(program);
    const inFile = log.length === 0 ? "" : logFile();
    const told = [JSON.stringify(stage.events), inFile, String(failures), await textIn(stage.store)].join("\n");
    expect(told).toContain(text);
    expect(told).not.toMatch(/cut-canary|0123456789012/);
  });
});

test("a provider that trims a secret, or writes it in small letters, is warned of without the text that it has made", async () => {
  const { stage, fixture, log, logFile } = await made();
  const declare = (payload: string) => () =>
    void fixture().sdk!("a", { name: "a", content: "x", payload: new Secret(payload) });
  await stage.up(declare("  Cut-Canary-One  "));
  await stage.up(declare("  Cut-Canary-Two  "));
  expect(log.join("\n")).toContain("payload is planned as a sensitive value that is not the configured one");
  const told = [JSON.stringify(stage.events), logFile(), await textIn(stage.store)].join("\n");
  expect(told).not.toMatch(/cut-canary/i);
});
