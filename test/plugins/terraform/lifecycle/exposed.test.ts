/** States of earlier versions, which recorded sensitive values in plain text. */
import { describe, expect, test } from "vitest";
import { planLines } from "../../../../plugins/console-output/plan-view.js";
import { createEngine } from "../../../../plugins/engine/index.js";
import { secrets } from "../../../../plugins/secrets/index.js";
import { providerKinds } from "../../../../plugins/terraform/provider-kinds.js";
import { COST, PASSWORD, secretStage, textIn } from "../../../helpers/apps/secret-stage.js";
import { fixtureStages } from "./fixture-stage.ts";
import { asBefore, exposedIn, exposedStage, NAME, NOTE } from "./in-the-clear.ts";

const made = fixtureStages();

describe("a stage with values in the clear", () => {
  test("is listed by a verify, and sealed by the next change", async () => {
    const { store, later, program } = await exposedStage(await made());
    expect(await exposedIn(store)).toEqual([
      "app/dev/fixture: in the clear: props.config.note",
      "app/dev/list: in the clear: output.list",
      "app/dev/thing: in the clear: output.name, props.secret",
    ]);
    await later.up(program(2));
    expect(later.summary).toEqual({ updated: 3 });
    expect(await exposedIn(store)).toEqual([]);
  });

  test("shows none of them in the plan of their change, or of their delete", async () => {
    // Values that this process has not seen before.
    const before = { note: "earlier-configured", "props secret": "earlier-marked" };
    const { later, program } = await exposedStage(await made(), before);
    const options = { stage: "dev", argv: [], env: {}, stateStore: later.store, password: PASSWORD };
    for (const next of [program(2, "other-canary"), () => {}]) {
      const plan = await later.engine.plan("app", options, next);
      const text = JSON.stringify(plan) + planLines(plan).join("\n");
      expect(text).toContain("app/dev/thing");
      for (const one of [NAME, ...Object.values(before)]) expect(text).not.toContain(one);
    }
  });
});

test("a process that has not met its values masks them in the plan of its delete, and in what drifts", async () => {
  // Values that this process has not seen before.
  const own = { note: "unmet-configured", "props secret": "unmet-marked" };
  const { later } = await exposedStage(await made(), own);
  // Like a process that has not run the program: its types are not defined.
  const engine = createEngine({ plugins: [secrets({ cost: COST }), providerKinds()] });
  const options = { stage: "dev", argv: [], env: {}, stateStore: later.store, password: PASSWORD };
  const plan = await engine.plan("app", options, () => {});
  const text = JSON.stringify(plan) + planLines(plan).join("\n");
  expect(text).toContain("app/dev/thing");
  for (const one of Object.values(own)) expect(text).not.toContain(one);
  // No other program changed anything: a recorded value that is now a secret is not drift.
  expect(await engine.drift("app", options)).toMatchObject({ resources: [], errors: [] });
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
  expect(later.summary).toEqual({ unchanged: 2 });
});
