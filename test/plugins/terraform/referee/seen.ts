/** The resources of one side after a step, with names in place of the numbers of its world. */
import { impliedType } from "../../../../plugins/terraform/schema/index.js";
import { canonicalJson, sorted } from "./canonical.ts";
import { TAG_OF } from "./configuration.ts";
import type { Counters } from "./counters.ts";
import { byResource, type Question } from "./questions.ts";
import { schemaOf } from "./schema-of.ts";
import type { Outcome, Side } from "./side.ts";

export interface SeenResource {
  /** All real objects with this name. */
  readonly things: readonly unknown[];
  readonly action: string | undefined;
  readonly planned: unknown;
  readonly state: unknown;
  /** Questions about it in the plan, and in the run. */
  readonly plan: readonly Question[];
  readonly run: readonly Question[];
}

export interface Seen {
  readonly things: ReadonlyMap<string, readonly unknown[]>;
  /** @param key `TYPE.TAG` */
  of(key: string): SeenResource;
}

export function seenOf(side: Side, outcome: Outcome, counters: Counters, isOlder: boolean): Seen {
  const things = thingsIn(side, counters, isOlder);
  const plan = byResource(counters.named(outcome.plannedBy), isOlder);
  const run = byResource(counters.named(outcome.appliedBy), isOlder);
  return {
    things,
    of(key) {
      const change = outcome.changes.get(key);
      return {
        things: things.get(key) ?? [],
        action: change?.action,
        planned: counters.named(change?.planned),
        state: counters.named(outcome.states.get(key)),
        plan: plan.get(key) ?? [],
        run: run.get(key) ?? [],
      };
    },
  };
}

/** Real objects by `TYPE.TAG`. */
function thingsIn({ world }: Side, counters: Counters, isOlder: boolean): ReadonlyMap<string, readonly unknown[]> {
  const all = new Map<string, readonly unknown[]>();
  for (const [type, name] of Object.entries(TAG_OF)) {
    const of = impliedType(schemaOf(type, isOlder).block);
    for (const thing of world.all(type)) {
      const key = `${type}.${String(thing[name] ?? thing.title)}`;
      all.set(key, sorted([...(all.get(key) ?? []), canonicalJson(of, counters.named(thing))]));
    }
  }
  return all;
}

/** Raw objects by `TYPE.TAG`. */
export function madeIn({ world }: Side, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    keys.map((key) => {
      const [type = "", tag] = key.split(".");
      const names = [TAG_OF[type] ?? "", "title"];
      return [key, world.all(type).filter((one) => names.some((name) => one[name] === tag))];
    }),
  );
}
