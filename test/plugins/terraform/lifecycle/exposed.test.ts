/** States of earlier versions, which recorded sensitive values in the clear. */
import { describe, expect, test } from "vitest";
import type { StateStore } from "../../../../core/contract/store.js";
import { memoryStore } from "../../../../core/state/memory.js";
import { stageAdmin } from "../../../../plugins/admin/index.js";
import { planLines } from "../../../../plugins/console/plan-view.js";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { rewriteState } from "../../../helpers/rewrite-state.js";
import { PASSWORD, secretStage, textIn } from "../../../helpers/secret-stage.js";
import { type FixtureStage, fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();
const NOTE = "canary-configured";
const SECRET = "canary-marked";
const NAME = "canary-given";

/** By attribute, or by part of the record and attribute. */
type Texts = Readonly<Record<string, string>>;

/** A copy of the state with these values in the clear, as earlier versions recorded them. */
async function asBefore(store: StateStore, password?: string, all: Texts = {}): Promise<StateStore> {
  const texts: Texts = { note: NOTE, "props secret": SECRET, "output name": NAME, element: "canary-element", ...all };
  const inClear = (value: unknown, key = "", part = ""): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if ("$secret" in value) return texts[key] ?? texts[`${part} ${key}`] ?? value;
    if (Array.isArray(value)) return value.map((element) => inClear(element, part === "output" ? "element" : "", part));
    const inner = key === "output" || key === "props" ? key : part;
    const members = Object.entries(value).filter(([name]) => name !== "withheld" && name !== "$$version");
    return Object.fromEntries(
      members.map(([name, member]) => [
        name,
        name === "config" && password === undefined ? { note: NOTE } : inClear(member, name, inner),
      ]),
    );
  };
  const copy = memoryStore();
  await rewriteState(store, copy, (text) => JSON.stringify(inClear(JSON.parse(text))), {
    ...(password && { password }),
  });
  return copy;
}

async function exposedIn(store: StateStore): Promise<readonly string[]> {
  await using admin = stageAdmin(store, { app: "app", stage: "dev" });
  const { findings } = await admin.verify();
  return findings.filter(({ level }) => level === "exposed").map(({ key, problem }) => `${key}: ${problem}`);
}

const programOf =
  (fixture: FixtureStage["fixture"]) =>
  (size: number, secret = SECRET) =>
  () => {
    const { thing, attributes } = fixture({ note: NOTE });
    thing!("thing", { name: new Secret(NAME), secret, size });
    attributes!("list", { number: size, list: ["seen", new Secret("canary-element")] });
  };

describe("a stage with values in the clear", () => {
  const exposed = async (texts?: Texts) => {
    const { stage, fixture, asked, world } = await made();
    const program = programOf(fixture);
    await stage.up(program(1));
    const store = await asBefore(stage.store, PASSWORD, texts);
    asked();
    return { store, later: secretStage({ stateStore: store }), program, fixture, asked, world };
  };

  test("is listed by a verify, and sealed by the next change", async () => {
    const { store, later, program } = await exposed();
    expect(await exposedIn(store)).toEqual([
      "app/dev/fixture: in the clear: props.config.note",
      "app/dev/list: in the clear: output.list",
      "app/dev/thing: in the clear: output.name, props.secret",
    ]);
    await later.up(program(2));
    expect(later.summary).toEqual({ updated: 3 });
    expect(await exposedIn(store)).toEqual([]);
  });

  test("is sealed by a run that changes nothing else, without a change of the real resource", async () => {
    const { store, later, program, asked } = await exposed();
    await later.up(program(1));
    expect(later.summary.replaced).toBeUndefined();
    expect(await exposedIn(store)).toEqual([]);
    expect(asked()).not.toContain("ApplyResourceChange");
    await later.up(program(1));
    expect(later.summary).toEqual({ skipped: 3 });
  });

  test("shows none of them in the plan of their change, or of their delete", async () => {
    // Values that this process has met nowhere else.
    const before = { note: "earlier-configured", "props secret": "earlier-marked" };
    const { later, program } = await exposed(before);
    const options = { stage: "dev", argv: [], env: {}, stateStore: later.store, password: PASSWORD };
    for (const next of [program(2, "other-canary"), () => {}]) {
      const plan = await later.engine.plan("app", options, next);
      const text = JSON.stringify(plan) + planLines(plan).join("\n");
      expect(text).toContain("app/dev/thing");
      for (const one of [NAME, ...Object.values(before)]) expect(text).not.toContain(one);
    }
  });

  test("has none in the present state after a destroy of one resource", async () => {
    const { store, later, fixture, world } = await exposed();
    await later.up(() => void fixture({ note: NOTE }));
    expect(world.all("fixture_thing")).toEqual([]);
    expect(await exposedIn(store)).toEqual([]);
  });
});

test("the configuration in a state without a password or key is taken out of it by the next run", async () => {
  const { stage, fixture } = await made();
  const opened = { password: undefined };
  const program = () => void fixture({ note: NOTE }).versioned!("one", { name: "a" });
  await stage.up(program, opened);
  const store = await asBefore(stage.store);
  expect(await textIn(store)).toContain(NOTE);
  expect(await exposedIn(store)).toEqual(["app/dev/fixture: in the clear: props.config.note"]);
  const later = secretStage({ stateStore: store });
  await later.up(program, opened);
  expect(await exposedIn(store)).toEqual([]);
  await later.up(program, opened);
  expect(later.summary).toEqual({ skipped: 2 });
});
