/** Runs a configuration with the engine. */
import type { Plan } from "../../../../core/contract/index.js";
import { unwrapped } from "../../../../plugins/terraform/lifecycle/values.js";
import { impliedType, namesOf, propsOf, type Schema, stateOf } from "../../../../plugins/terraform/schema/index.js";
import { recordedIn } from "../fixture/world.ts";
import type { FixtureStage } from "../lifecycle/fixture-stage.ts";
import { canonicalValue } from "./canonical.ts";
import { type Declared, type Step, tagsIn, withReferences } from "./configuration.ts";
import { startCounting } from "./counters.ts";
import { schemaOf } from "./schema-of.ts";
import type { Outcome, PlannedChange, Side } from "./side.ts";

type Outputs = Map<string, Readonly<Record<string, unknown>>>;

export function engineSide(fixtures: FixtureStage): Side {
  const { stage, world } = fixtures;
  startCounting(world.folder);
  let seen = 0;
  let isOlder = false;
  const asked = () => {
    const all = recordedIn(world.folder);
    const since = all.slice(seen);
    seen = all.length;
    return since;
  };
  return {
    world,
    async step(step) {
      // The first refresh, before any declaration, uses the type definitions that were defined last.
      if (isOlder && !step.isOlder) await fixtures.plan(programOf(fixtures, step, new Map())).catch(() => {});
      isOlder = step.isOlder;
      asked();
      const options = { concurrency: 1, refresh: step.isRefreshed };
      const expected: Outputs = new Map();
      let plan: Plan | undefined;
      try {
        plan = await fixtures.plan(programOf(fixtures, step, expected), options);
      } catch (error) {
        return { changes: new Map(), plannedBy: asked(), appliedBy: [], states: new Map(), refused: messageOf(error) };
      }
      const plannedBy = asked();
      const outputs: Outputs = new Map();
      const failure = await stage.up(programOf(fixtures, step, outputs), options).then(() => undefined, messageOf);
      return {
        changes: changesIn(plan, step, expected),
        plannedBy,
        appliedBy: asked(),
        states: new Map([...outputs].map(([key, output]) => [key, canonical(key, step, output)])),
        failure,
      };
    },
  };
}

function messageOf(error: unknown): string {
  const all: readonly unknown[] = Reflect.get(Object(error), "errors") ?? [error];
  return all.map(String).join("\n");
}

/** Declares the resources of a step; keeps their outputs in `outputs`, by `TYPE.TAG`. */
function programOf(fixtures: FixtureStage, { declared, lookups, isOlder }: Step, outputs: Outputs) {
  return async (): Promise<void> => {
    const fixture = (isOlder ? fixtures.before : fixtures).fixture();
    const pending = new Map<string, Promise<unknown>>();
    const types = new Map(declared.map(({ tag, type }) => [tag, type]));
    const outputOf = (tag: string) => outputs.get(`${types.get(tag)}.${tag}`);
    const isThere = (one: Declared): boolean => [...tagsIn(one.config)].every((tag) => outputOf(tag) !== undefined);
    for (const one of declared) {
      if (!isThere(one)) continue;
      const { block } = schemaOf(one.type, isOlder);
      const props = withReferences(propsOf(block, one.config), (tag, attribute) =>
        Reflect.get(outputOf(tag) ?? {}, programName(attribute)),
      );
      const { createBeforeDestroy } = one;
      const resource = fixture[programName(one.type.replace("fixture_", ""))]?.(one.tag, Object(props), {
        ...(createBeforeDestroy && { createBeforeDestroy }),
      });
      if (!resource) throw new Error(`There is no type "${one.type}".`);
      pending.set(one.tag, resource);
      await keepOutput(outputs, `${one.type}.${one.tag}`, resource);
    }
    for (const { tag, thing } of lookups) {
      const dependsOn = pending.get(thing);
      const found = fixture.data.lookup?.(
        tag,
        { name: thing },
        { dependsOn: dependsOn === undefined ? [] : [dependsOn] },
      );
      if (found) await keepOutput(outputs, `fixture_lookup.${tag}`, found);
    }
  };
}

/** Ignores failures, which the run reports. */
async function keepOutput(outputs: Outputs, key: string, resource: Promise<Readonly<Record<string, unknown>>>) {
  const [settled] = await Promise.allSettled([resource]);
  if (settled?.status === "fulfilled") outputs.set(key, settled.value);
}

function programName(name: string): string {
  return name.replace(/_(\w)/g, (_match, letter) => letter.toUpperCase());
}

function changesIn({ actions }: Plan, { declared, lookups, isOlder }: Step, expected: Outputs): Outcome["changes"] {
  const byId = new Map(actions.map((one) => [one.id, one]));
  const changes = new Map<string, PlannedChange>();
  for (const { tag, type, createBeforeDestroy } of [
    ...declared,
    ...lookups.map(({ tag }) => ({ tag, type: "fixture_lookup", createBeforeDestroy: false })),
  ]) {
    const key = `${type}.${tag}`;
    const action = byId.get(tag)?.action ?? "no-op";
    const order = createBeforeDestroy ? "create, delete" : "delete, create";
    const output = expected.get(key);
    changes.set(key, {
      action: action === "replace" ? order : type === "fixture_lookup" && action !== "no-op" ? "read" : action,
      ...(output && { planned: canonical(key, { declared, isOlder }, output) }),
    });
    byId.delete(tag);
  }
  for (const [id, { action, kind }] of byId) {
    if (!kind.startsWith("terraform:")) changes.set(`${typeOfKind(kind)}.${id}`, { action });
  }
  return changes;
}

/** E.g. `fixture_write_only` for `test/fixture:writeOnly`. */
function typeOfKind(kind: string): string {
  const called = kind.slice(kind.indexOf(":") + 1).replace("data.", "");
  return `fixture_${called.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

function canonical(key: string, { isOlder }: Pick<Step, "declared" | "isOlder">, output: unknown): unknown {
  const { block }: Schema = schemaOf(key.slice(0, key.indexOf(".")), isOlder);
  // Members may be known although the whole output is unknown.
  const members = [...namesOf(block).toProvider.keys()].map(
    (name) => [name, Reflect.get(Object(output), name)] as const,
  );
  return canonicalValue(impliedType(block), stateOf(block, unwrapped(Object.fromEntries(members))));
}
