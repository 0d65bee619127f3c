/** Compares the outcome of one step on both sides. */
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

/** A difference that no rule explains. */
export interface Difference {
  readonly where: string;
  readonly theirs: unknown;
  readonly ours: unknown;
}

/** Compares all steps of one batch. */
export class Comparison {
  readonly #theirs = new Counters();
  readonly #ours = new Counters();
  /** Groups whose real objects differ since a rule allowed it: questions about them are no longer compared. */
  readonly parted = new Set<string>();
  /** Tags of the resources that parted in this step. */
  readonly #apart = new Set<string>();
  #last: Step | undefined;
  /** Number of uses of each rule. */
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
      // A resource that needs one that parted has other values.
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

  /** @param key of the resource, or its group */
  use({ name, parts = false }: Rule, key: string): void {
    this.used.set(name, (this.used.get(name) ?? 0) + 1);
    if (!parts) return;
    this.parted.add(groupOf(key));
    this.#apart.add(tagOf(key));
  }

  /** Compares the questions of this command; `elsewhere` are those of the other one. */
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

/** The question of the same kind on the other side; else the kinds of its questions. */
function alike(question: Question, others: readonly Question[]): unknown {
  return others.find(({ rpc }) => rpc === question.rpc) ?? others.map(({ rpc }) => rpc);
}

/** In the order of their first declaration: referenced resources exist before the ones that refer to them. */
function keysOf({ declared, lookups }: Step, outcomes: readonly Outcome[]): readonly string[] {
  const keys = [
    ...declared.map(({ type, tag }) => `${type}.${tag}`),
    ...lookups.map(({ tag }) => `fixture_lookup.${tag}`),
  ];
  return [...new Set([...keys, ...outcomes.flatMap(({ changes, states }) => [...changes.keys(), ...states.keys()])])];
}

/**
 * After a run without failure, every declared resource exists once, and nothing else does, even if OpenTofu differs.
 */
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
