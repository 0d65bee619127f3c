/** A type whose `replaces` cannot decide while a prop is unknown: the run may replace, and still follows its plan. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { setUpPlans } from "../../helpers/apps/planning.js";
import { newKind } from "../../helpers/apps/world.js";

interface Place {
  readonly path: string;
}

const isElsewhere = (one: Place, other: Place): boolean => [...one.path][0] !== [...other.path][0];

/** Replaced if the first letter of its path changes. */
function newPlace(calls: string[]) {
  return Resource<Place, Place>(newKind(), {
    create: ({ props: { path } }) => {
      calls.push(`create ${path}`);
      return { path };
    },
    update: ({ props, output, replace }) => (isElsewhere(props, output) ? replace() : { path: props.path }),
    delete: ({ output }) => void calls.push(`delete ${output.path}`),
    replaces: ({ props, output }) => isElsewhere(props, output),
  });
}

async function planned(path: string) {
  const folder = await mkdtemp(join(tmpdir(), "undecided-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const planFile = join(folder, "plan.json");
  const calls: string[] = [];
  const Place = newPlace(calls);
  const { stage, plan, Thing } = setUpPlans();
  await stage.up(() => Place("place", { path: "x" }));
  const program = async (): Promise<void> => {
    const { thing } = await Thing("new");
    await Place("place", { path: path || thing });
  };
  const { actions, errors, stopped } = await plan(program, { planOut: planFile });
  expect([errors, stopped]).toEqual([[], undefined]);
  const place = actions.find(({ fqn }) => fqn === "app/dev/place");
  return { calls, place, apply: () => stage.up(program, { planFile }) };
}

test("it is planned as an update that may replace, and a run that keeps to the plan replaces", async () => {
  const { calls, place, apply } = await planned("");
  expect(place).toMatchObject({ action: "update", certain: false, mayReplace: true });
  await apply();
  expect(calls).toEqual(["create x", "create new#1", "delete x"]);
});

test("where all is known, it is planned as what it is", async () => {
  expect((await planned("xyz")).place).toMatchObject({ action: "update", mayReplace: false });
  expect((await planned("abc")).place).toMatchObject({ action: "replace", certain: true, mayReplace: false });
});
