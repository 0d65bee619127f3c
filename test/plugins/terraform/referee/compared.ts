/** What one step has come to on both sides, in one form, and where they differ. */
import { isDeepStrictEqual } from "node:util";
import { impliedType } from "../../../../plugins/terraform/schema/index.js";
import { canonicalJson, sorted } from "./canonical.ts";
import { type Step, TAG_OF } from "./configuration.ts";
import { Counters } from "./counters.ts";
import { byResource, type Question } from "./questions.ts";
import { explained, type Situation } from "./rules.ts";
import { schemaOf } from "./schema-of.ts";
import type { Outcome, Side } from "./side.ts";

/** A difference that nothing explains. */
export interface Difference {
  readonly where: string;
  readonly theirs: unknown;
  readonly ours: unknown;
}

/** Compares all steps of one batch. */
export class Comparison {
  readonly #theirs = new Counters();
  readonly #ours = new Counters();
  /** How often each rule was needed. */
  readonly used = new Map<string, number>();

  differences(
    step: Step,
    theirSide: Side,
    ourSide: Side,
    theirOutcome: Outcome,
    ourOutcome: Outcome,
  ): readonly Difference[] {
    const isRefused = [theirOutcome, ourOutcome].map(({ refused }) => refused !== undefined);
    if (isRefused.some((is) => is !== (step.isRefused ?? false)))
      return [{ where: "refused", theirs: theirOutcome.refused, ours: ourOutcome.refused }];
    const keys = keysOf(step, [theirOutcome, ourOutcome]);
    this.#theirs.learn(madeIn(theirSide, keys));
    this.#ours.learn(madeIn(ourSide, keys));
    const found: Difference[] = [];
    const compare = (where: string, theirs: unknown, ours: unknown): void => {
      if (!isDeepStrictEqual(theirs, ours)) found.push({ where, theirs, ours });
    };
    for (const type of new Set(keys.map((key) => key.slice(0, key.indexOf("."))))) {
      const typeOf = (name: string) => impliedType(schemaOf(name, step.isOlder).block);
      const things = (side: Side, counters: Counters) =>
        sorted(side.world.all(type).map((one) => canonicalJson(typeOf(type), counters.named(one))));
      compare(`world: ${type}`, things(theirSide, this.#theirs), things(ourSide, this.#ours));
    }
    if (step.isRefused) return found;
    const asked = (counters: Counters, questions: Outcome["plannedBy"]) =>
      byResource(counters.named(questions), step.isOlder);
    const [theirPlan, ourPlan] = [asked(this.#theirs, theirOutcome.plannedBy), asked(this.#ours, ourOutcome.plannedBy)];
    const [theirRun, ourRun] = [asked(this.#theirs, theirOutcome.appliedBy), asked(this.#ours, ourOutcome.appliedBy)];
    for (const key of keys) {
      const [their, our] = [theirOutcome.changes.get(key), ourOutcome.changes.get(key)];
      const situation: Situation = { step, key, theirs: their?.action, ours: our?.action, failure: ourOutcome.failure };
      const action = (one: string | undefined) => one ?? "no-op";
      const check = (part: string, theirs: unknown, ours: unknown): void => {
        if (isDeepStrictEqual(theirs, ours)) return;
        const rule = explained(part, situation, theirs, ours);
        if (rule === undefined) found.push({ where: `${key}: ${part}`, theirs, ours });
        else this.#use(rule);
      };
      check("action", action(their?.action), action(our?.action));
      check("planned", this.#theirs.named(their?.planned), this.#ours.named(our?.planned));
      check("state", this.#theirs.named(theirOutcome.states.get(key)), this.#ours.named(ourOutcome.states.get(key)));
      const inPlan = { ...situation, where: `${key}: questions of the plan` };
      this.#questions(inPlan, [theirPlan.get(key), theirRun.get(key)], [ourPlan.get(key), ourRun.get(key)], found);
      const inRun = { ...situation, where: `${key}: questions of the run` };
      this.#questions(inRun, [theirRun.get(key), theirPlan.get(key)], [ourRun.get(key), ourPlan.get(key)], found);
    }
    if ((theirOutcome.failure === undefined) !== (ourOutcome.failure === undefined))
      found.unshift({ where: "failure", theirs: theirOutcome.failure, ours: ourOutcome.failure });
    return found;
  }

  /** Each side with what it has asked here, and in the other command. */
  #questions(
    situation: Situation & { readonly where: string },
    [theirs = [], theirsElsewhere = []]: Asked,
    [ours = [], oursElsewhere = []]: Asked,
    found: Difference[],
  ): void {
    const { where } = situation;
    const [onlyTheirs, onlyOurs] = unmatched(theirs, ours);
    for (const question of onlyTheirs) {
      const more = { all: theirs, others: ours, elsewhere: oursElsewhere };
      const rule = explained(`theirs: ${question.rpc}`, { ...situation, ...more }, question, undefined);
      if (rule === undefined) found.push({ where, theirs: question, ours: alike(question, ours) });
      else this.#use(rule);
    }
    for (const question of onlyOurs) {
      const more = { all: ours, others: theirs, elsewhere: theirsElsewhere };
      const rule = explained(`ours: ${question.rpc}`, { ...situation, ...more }, undefined, question);
      if (rule === undefined) found.push({ where, theirs: alike(question, theirs), ours: question });
      else this.#use(rule);
    }
  }

  #use(rule: string): void {
    this.used.set(rule, (this.used.get(rule) ?? 0) + 1);
  }
}

type Asked = readonly [here: readonly Question[] | undefined, elsewhere: readonly Question[] | undefined];

/** The one that it would be, had it been asked with the same; else what was asked. */
function alike(question: Question, others: readonly Question[]): unknown {
  return others.find(({ rpc }) => rpc === question.rpc) ?? others.map(({ rpc }) => rpc);
}

/** What is left of both beside the longest common sequence. */
function unmatched(
  theirs: readonly Question[],
  ours: readonly Question[],
): readonly [readonly Question[], readonly Question[]] {
  const lengths = Array.from({ length: theirs.length + 1 }, () => new Array<number>(ours.length + 1).fill(0));
  const same = (one: number, other: number): boolean => isDeepStrictEqual(theirs[one], ours[other]);
  for (let one = theirs.length - 1; one >= 0; one--) {
    for (let other = ours.length - 1; other >= 0; other--) {
      const [row, below] = [lengths[one], lengths[one + 1]];
      if (row && below)
        row[other] = same(one, other) ? (below[other + 1] ?? 0) + 1 : Math.max(below[other] ?? 0, row[other + 1] ?? 0);
    }
  }
  const left: [Question[], Question[]] = [[], []];
  let [one, other] = [0, 0];
  while (one < theirs.length || other < ours.length) {
    const [their, our] = [theirs[one], ours[other]];
    if (their && our && same(one, other)) {
      one++;
      other++;
    } else if (their && (!our || (lengths[one + 1]?.[other] ?? 0) >= (lengths[one]?.[other + 1] ?? 0))) {
      left[0].push(their);
      one++;
    } else if (our) {
      left[1].push(our);
      other++;
    }
  }
  return left;
}

/** In the order in which they were declared first, for what is referred to has been made by what it belongs to. */
function keysOf({ declared, lookups }: Step, outcomes: readonly Outcome[]): readonly string[] {
  const keys = [
    ...declared.map(({ type, tag }) => `${type}.${tag}`),
    ...lookups.map(({ tag }) => `fixture_lookup.${tag}`),
  ];
  return [...new Set([...keys, ...outcomes.flatMap(({ changes, states }) => [...changes.keys(), ...states.keys()])])];
}

function madeIn({ world }: Side, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    keys.map((key) => {
      const [type = "", tag] = key.split(".");
      const names = [TAG_OF[type] ?? "", "title"];
      return [key, world.all(type).filter((one) => names.some((name) => one[name] === tag))];
    }),
  );
}
