/** What one step has come to on both sides, in one form, and where they differ. */
import { isDeepStrictEqual } from "node:util";
import type { Step } from "./configuration.ts";
import { Counters } from "./counters.ts";
import { groupOf, needsOneOf, tagOf } from "./groups.ts";
import type { Question } from "./questions.ts";
import { explained, type Rule } from "./rules.ts";
import { madeIn, type SeenResource, seenOf } from "./seen.ts";
import type { Outcome, Side } from "./side.ts";
import type { Situation } from "./situation.ts";
import { unmatched } from "./unmatched.ts";

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
  /** Of these both sides have other things since they have parted for a reason: what is asked about them is compared no more. */
  readonly parted = new Set<string>();
  /** Tags of those that it was in this step. */
  readonly #apart = new Set<string>();
  #last: Step | undefined;
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
    const theirs = seenOf(theirSide, theirOutcome, this.#theirs, step.isOlder);
    const ours = seenOf(ourSide, ourOutcome, this.#ours, step.isOlder);
    const found = [...notOnce(step, ourOutcome, ours.things)];
    const parted = new Set(this.parted);
    this.#apart.clear();
    for (const key of new Set([...keys, ...theirs.things.keys(), ...ours.things.keys()])) {
      // What needs a thing that is another one on both sides has other values.
      if (parted.has(groupOf(key)) || needsOneOf(step, tagOf(key), this.#apart)) continue;
      this.#resource(
        { step, before: this.#last, key, failure: ourOutcome.failure },
        theirs.of(key),
        ours.of(key),
        found,
      );
    }
    this.#last = step;
    if ((theirOutcome.failure === undefined) !== (ourOutcome.failure === undefined))
      found.unshift({ where: "failure", theirs: theirOutcome.failure, ours: ourOutcome.failure });
    return found;
  }

  #resource(
    about: Pick<Situation, "step" | "before" | "key" | "failure">,
    their: SeenResource,
    our: SeenResource,
    found: Difference[],
  ): void {
    const { key, step } = about;
    const actions = { theirs: their.action, ours: our.action };
    const situation: Situation = { ...about, ...actions, theirPlan: their.plan, theirRun: their.run, ourRun: our.run };
    const check = (part: string, theirs: unknown, ours: unknown): void => {
      if (isDeepStrictEqual(theirs, ours)) return;
      const rule = explained(part, situation, theirs, ours);
      if (rule === undefined) found.push({ where: `${key}: ${part}`, theirs, ours });
      else this.use(rule, key);
    };
    check("world", their.things, our.things);
    if (step.isRefused) return;
    check("action", their.action ?? "no-op", our.action ?? "no-op");
    check("planned", their.planned, our.planned);
    check("state", their.state, our.state);
    const [plan, run] = [[their.plan, our.plan] as const, [their.run, our.run] as const];
    this.#questions({ ...situation, where: `${key}: questions of the plan` }, plan, run, found);
    this.#questions({ ...situation, where: `${key}: questions of the run` }, run, plan, found);
  }

  /** @param key of what it is about, or its group */
  use({ name, parts = false }: Rule, key: string): void {
    this.used.set(name, (this.used.get(name) ?? 0) + 1);
    if (!parts) return;
    this.parted.add(groupOf(key));
    this.#apart.add(tagOf(key));
  }

  /** What both have asked here, and in the other command. */
  #questions(
    situation: Situation & { readonly where: string },
    [theirs, ours]: Asked,
    [theirsElsewhere, oursElsewhere]: Asked,
    found: Difference[],
  ): void {
    const { where, key } = situation;
    const [onlyTheirs, onlyOurs] = unmatched(theirs, ours);
    for (const question of onlyTheirs) {
      const more = { all: theirs, others: ours, elsewhere: oursElsewhere };
      const rule = explained(`theirs: ${question.rpc}`, { ...situation, ...more }, question, undefined);
      if (rule === undefined) found.push({ where, theirs: question, ours: alike(question, ours) });
      else this.use(rule, key);
    }
    for (const question of onlyOurs) {
      const more = { all: ours, others: theirs, elsewhere: theirsElsewhere };
      const rule = explained(`ours: ${question.rpc}`, { ...situation, ...more }, undefined, question);
      if (rule === undefined) found.push({ where, theirs: alike(question, theirs), ours: question });
      else this.use(rule, key);
    }
  }
}

type Asked = readonly [theirs: readonly Question[], ours: readonly Question[]];

/** The one that it would be, had it been asked with the same; else what was asked. */
function alike(question: Question, others: readonly Question[]): unknown {
  return others.find(({ rpc }) => rpc === question.rpc) ?? others.map(({ rpc }) => rpc);
}

/** In the order in which they were declared first, for what is referred to has been made by what it belongs to. */
function keysOf({ declared, lookups }: Step, outcomes: readonly Outcome[]): readonly string[] {
  const keys = [
    ...declared.map(({ type, tag }) => `${type}.${tag}`),
    ...lookups.map(({ tag }) => `fixture_lookup.${tag}`),
  ];
  return [...new Set([...keys, ...outcomes.flatMap(({ changes, states }) => [...changes.keys(), ...states.keys()])])];
}

/** Of what is declared there is one each after a run that has not failed, and nothing else, whatever OpenTofu makes of it. */
function notOnce(
  { declared, isRefused }: Step,
  { failure }: Outcome,
  things: ReadonlyMap<string, readonly unknown[]>,
): readonly Difference[] {
  if (failure !== undefined) return [];
  const keys = isRefused ? [] : declared.map(({ type, tag }) => `${type}.${tag}`).sort();
  const there = [...things].flatMap(([key, all]) => all.map(() => key)).sort();
  return isDeepStrictEqual(keys, there) ? [] : [{ where: "once each", theirs: keys, ours: there }];
}
