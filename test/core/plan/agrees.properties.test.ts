import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { Plan, PlannedAction } from "../../../core/contract/index.js";
import { setUpPlans } from "../../helpers/apps/planning.js";
import type { Stage } from "../../helpers/apps/stage.js";
import { cases, fc } from "../../helpers/checks/generated.ts";
import { isLong } from "../../helpers/checks/sampling.ts";

const numRuns = isLong ? 5000 : cases(375);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plans-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const KINDS = ["long", "short", "fixed", "named", "seen"] as const;

/** One declaration, which may use the output of an earlier one. */
interface Step {
  readonly id: string;
  readonly kind: (typeof KINDS)[number];
  readonly value: number;
  readonly name: string;
  readonly uses: { readonly from: number; readonly member: "thing" | "value" } | undefined;
  readonly inText: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  id: fc.constantFrom("a", "b", "c", "d", "e"),
  kind: fc.constantFrom(...KINDS),
  value: fc.integer({ min: 0, max: 2 }),
  name: fc.constantFrom("x", "y"),
  uses: fc.option(fc.record({ from: fc.nat(3), member: fc.constantFrom("thing", "value") }), { nil: undefined }),
  inText: fc.boolean(),
});
const program = fc.uniqueArray(step, { selector: ({ id }) => id, maxLength: 5 });
const histories = fc.record({
  before: fc.array(fc.record({ program, failing: fc.array(fc.constantFrom("a", "b", "c")) }), { maxLength: 2 }),
  now: program,
  gone: fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 1 }),
});

const DONE = {
  created: "create",
  updated: "update",
  replaced: "replace",
  adopted: "adopt",
  deleted: "delete",
} as const;

/** Actions of a run, by FQN. */
function doneBy(stage: Stage): Map<string, string[]> {
  const done = new Map<string, string[]>();
  for (const event of stage.events) {
    const [topic, what = ""] = event.type.split(":");
    if (topic !== "resource" || !("fqn" in event) || event.fqn === undefined || !Object.hasOwn(DONE, what)) continue;
    done.set(event.fqn, [...(done.get(event.fqn) ?? []), Reflect.get(DONE, what)]);
  }
  return done;
}

/** Differences between the plan and the actions of the run. */
function disagreements(plan: Plan, stage: Stage): string[] {
  const done = doneBy(stage);
  const problems: string[] = [];
  const planned = new Map<string, PlannedAction[]>();
  for (const action of plan.actions) planned.set(action.fqn, [...(planned.get(action.fqn) ?? []), action]);
  for (const fqn of new Set([...done.keys(), ...planned.keys()])) {
    const actions = (done.get(fqn) ?? []).filter((action) => action !== "delete");
    const deletes = (done.get(fqn) ?? []).length - actions.length;
    const asked = planned.get(fqn) ?? [];
    for (const { action, certain, mayReplace } of asked.filter((one) => one.action !== "delete")) {
      const index = actions.findIndex((one) => one === action || (mayReplace && one === "replace"));
      if (index >= 0) actions.splice(index, 1);
      else if (certain) problems.push(`${action} ${fqn} was not done`);
      else actions.shift(); // The run itself checks that this action is one that the plan allows.
    }
    for (const action of actions) problems.push(`${action} ${fqn} was not planned`);
    const wanted = asked.filter(({ action }) => action === "delete");
    const least = wanted.filter(({ certain }) => certain).length;
    // Each replace deletes an old copy, unless it never existed.
    const most = wanted.length + (done.get(fqn) ?? []).filter((action) => action === "replace").length;
    if (deletes < least || deletes > most)
      problems.push(`${fqn} was deleted ${deletes} times, not ${least} to ${most}`);
  }
  return problems;
}

describe("for any program and any state", () => {
  test("a run does what the plan made just before it says, and can be held to it", async () => {
    let count = 0;
    const property = fc.asyncProperty(histories, async ({ before, now, gone }) => {
      const { world, stage, plan, requests } = setUpPlans();
      const types = {
        long: world.type(),
        short: world.type({ short: true }),
        fixed: world.type({ update: false, read: true }),
        named: world.type({ replaceOn: ["name"], idempotent: true }),
        seen: world.type({ verify: true }),
      };
      const played = (steps: readonly Step[]) => async (): Promise<void> => {
        const outputs: { readonly thing: string; readonly value: unknown }[] = [];
        for (const { id, kind, value, name, uses, inText } of steps) {
          const from = uses && outputs[uses.from]?.[uses.member];
          outputs.push(await types[kind](id, { value, name, uses: inText ? `<${String(from)}>` : from }));
        }
      };
      for (const chapter of before) {
        for (const id of chapter.failing) for (const phase of ["create", "update"]) world.fails(`${phase} ${id}`);
        await stage.up(played(chapter.program)).catch(() => {});
        world.calm();
      }
      for (const [thing, { fqn, kind }] of [...world.things]) {
        // For the other types, the engine notices a missing resource only during the run.
        if (kind !== types.seen.kind) continue;
        if (gone.some((id) => fqn === `app/dev/${id}`)) world.things.delete(thing);
      }
      const planOut = join(folder, `${++count}.json`);
      const made = await plan(played(now), { planOut });
      if (made.stopped !== undefined) throw new Error(`The plan stopped: ${made.stopped}`);
      await stage.up(played(now), { planFile: planOut });
      const problems = disagreements(made, stage);
      const left = await plan(played(now));
      if (left.actions.length + left.recordOnly.length > 0) problems.push(`left over: ${JSON.stringify(left)}`);
      requests.clear();
      await stage.up(played(now));
      if (requests.writes > 0) problems.push(`An empty plan, and the run wrote ${requests.writes} times`);
      if (problems.length > 0) throw new Error(problems.join("\n"));
    });
    await fc.assert(property, { numRuns });
  });
});
