/** The differences that are wanted, each with its reason. */
import { isDeepStrictEqual } from "node:util";
import type { Step } from "./configuration.ts";
import type { Question } from "./questions.ts";
import { schemaOf } from "./schema-of.ts";

export interface Situation {
  readonly step: Step;
  /** `TYPE.TAG` */
  readonly key: string;
  /** Actions of both plans. */
  readonly theirs: string | undefined;
  readonly ours: string | undefined;
  /** What the run of ours has failed with. */
  readonly failure: string | undefined;
  readonly where?: string;
  /** Questions of the side that has asked the one, and those of the other side. */
  readonly all?: readonly Question[];
  readonly others?: readonly Question[];
  /** Those that the other side has asked for the run, where this is about the plan, and the other way round. */
  readonly elsewhere?: readonly Question[];
}

interface Rule {
  readonly name: string;
  readonly why: string;
  applies(part: string, situation: Situation, theirs: unknown, ours: unknown): boolean;
}

export const RULES: readonly Rule[] = [
  {
    name: "validates beforehand",
    why: "OpenTofu validates all in a walk of its own, before anything is known. Here it is validated where it is planned, with all that is known then.",
    applies: (part, { where, all = [] }) =>
      /^theirs: Validate/.test(part) &&
      isOfPlan(where) &&
      all.filter(({ rpc }) => rpc.startsWith("Validate")).length === 2,
  },
  {
    name: "an unchanged one asks nothing",
    why: "What is declared as it is recorded, and was not found to be otherwise, is left alone. OpenTofu asks its provider to plan that, and finds no change.",
    applies: (part, { where, theirs, ours, others = [] }) =>
      part.startsWith("theirs: ") &&
      isOfPlan(where) &&
      theirs === "no-op" &&
      ours === "no-op" &&
      others.every(({ rpc }) => rpc === "ReadResource"),
  },
  {
    name: "upgrades to the same version",
    why: "OpenTofu asks for an upgrade even of what the same version of the schema has made. A provider has nothing to say to that.",
    applies: (part, _situation, theirs) => part === "theirs: UpgradeResourceState" && isOfSameVersion(theirs),
  },
  {
    name: "upgrades in the run, too",
    why: "OpenTofu's saved plan has what was upgraded. Here the run takes no plan along.",
    applies: (part, { where }) => part === "ours: UpgradeResourceState" && !isOfPlan(where),
  },
  {
    name: "looks in the run, too",
    why: "OpenTofu's apply trusts what its plan has seen. A run looks itself, so that it sees what has changed since.",
    applies: (part, { where, step }) => part === "ours: ReadResource" && !isOfPlan(where) && step.isRefreshed,
  },
  {
    name: "looks before it tries again",
    why: "OpenTofu goes on from what a failed change has answered. Here an earlier attempt may have been killed as well: what it has changed is looked at first, and planned from.",
    applies: (part, { where, step, all = [], others = [] }) =>
      /: (Read|Plan|Apply)Resource/.test(part) &&
      !isOfPlan(where) &&
      !step.isRefreshed &&
      (part.startsWith("ours") ? all : others).some(({ rpc }) => rpc === "ReadResource"),
  },
  {
    name: "decides in the run, too",
    why: "OpenTofu's apply does what its plan has found. A run takes no plan along: it asks the same itself, of what is there then.",
    applies: (part, { where, elsewhere = [] }, _theirs, ours) =>
      /^ours: (Validate|Plan)/.test(part) && !isOfPlan(where) && elsewhere.some((one) => isDeepStrictEqual(one, ours)),
  },
  {
    name: "plans a delete where it is done",
    why: "OpenTofu asks for the plan of a delete while it plans. Here that is asked by the run: to plan that something goes no process is started.",
    applies: (part, { where, elsewhere = [] }, theirs) =>
      part === "theirs: PlanResourceChange" &&
      isOfPlan(where) &&
      isDelete(theirs) &&
      elsewhere.some((one) => isDeepStrictEqual(one, theirs)),
  },
  {
    name: "plans the delete of what is replaced, too",
    why: "A provider that wants to be asked for the plan of a delete is asked for that of a replaced one, too. OpenTofu forgets to.",
    applies: (part, { where, theirs = "" }, _theirs, ours) =>
      part === "ours: PlanResourceChange" && !isOfPlan(where) && isDelete(ours) && /, /.test(theirs),
  },
  {
    name: "what is gone is forgotten by its delete",
    why: "What is no longer declared, and no longer there, is called a delete by a plan of ours, for something that is recorded goes. No provider is asked for it.",
    applies: (part, { step, key, theirs, ours }) =>
      part === "action" &&
      theirs === undefined &&
      ours === "delete" &&
      step.drift.some(({ type, tag, change }) => key === `${type}.${tag}` && !change),
  },
  {
    name: "a lookup is recorded",
    why: "What a data source has found is recorded, for what depends on it may have to be deleted without the program. OpenTofu says nothing of one that it has looked up for the plan.",
    applies: (part, { key, theirs }) =>
      key.startsWith("fixture_lookup.") && theirs === undefined && (part === "action" || part === "planned"),
  },
  {
    name: "what has failed gives no output",
    why: "What a failed change has left is recorded, and is no output that a program could use; what needs it is not declared. OpenTofu has both in its state. What is there is compared in the worlds.",
    applies: (part, { failure }, _theirs, ours) => part === "state" && ours === undefined && failure !== undefined,
  },
  {
    name: "what a failed create has left is made anew",
    why: "OpenTofu calls it a replacement of what is tainted. Here it never was a resource: it is created, and what was left is deleted first.",
    applies: (part, { theirs = "", ours }) => part === "action" && /, /.test(theirs) && ours === "create",
  },
];

function isDelete(question: unknown): boolean {
  const { proposed, prior } = Object(question);
  return !proposed && prior !== null;
}

function isOfPlan(where = ""): boolean {
  return where.endsWith("of the plan");
}

function isOfSameVersion(question: unknown): boolean {
  const { version, typeName } = Object(question);
  return version === schemaOf(typeName, false).version;
}

export function explained(part: string, situation: Situation, theirs: unknown, ours: unknown): string | undefined {
  return RULES.find((rule) => rule.applies(part, situation, theirs, ours))?.name;
}
