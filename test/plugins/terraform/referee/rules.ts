/** The intended differences, each with its reason. */
import { isDeepStrictEqual } from "node:util";
import {
  cycleIn,
  haveDeleted,
  holdsUnknown,
  isDelete,
  isOfPlan,
  isOfSameVersion,
  isThereOnce,
  isWithKnown,
  type Situation,
  waitsForFailed,
  wasNeededFirst,
} from "./situation.ts";

export interface Rule {
  readonly name: string;
  readonly why: string;
  /** The real objects differ on both sides afterwards. */
  readonly parts?: boolean;
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
    why: "OpenTofu's apply does what its plan has found. A run takes no plan along: it asks the same itself, of what is there and known then.",
    applies: (part, { where, elsewhere = [] }, _theirs, ours) =>
      /^ours: (Validate|Plan)/.test(part) && !isOfPlan(where) && elsewhere.some((one) => isWithKnown(one, ours)),
  },
  {
    name: "what turns out to be unchanged asks nothing",
    why: "What was planned to change, for it was not known whether it would, and is declared as it is recorded once that is known, is left alone. OpenTofu asks its provider to plan that, and finds no change.",
    applies: (part, { where, theirs, ours, all = [], others = [] }) =>
      /^theirs: (Validate|Plan)/.test(part) &&
      !isOfPlan(where) &&
      theirs === "update" &&
      ours === "update" &&
      all.every(({ rpc }) => rpc !== "ApplyResourceChange") &&
      others.every(({ rpc }) => rpc === "ReadResource"),
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
    name: "upgrades where it deletes",
    why: "OpenTofu upgrades what it plans to delete. Here that is done by the run: to plan that something goes no process is started.",
    applies: (part, { where, ours, elsewhere = [] }, theirs) =>
      part === "theirs: UpgradeResourceState" &&
      isOfPlan(where) &&
      ours === "delete" &&
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
  {
    name: "what a failed create has left is looked at where it is deleted",
    why: "It goes whatever has become of it, and a plan says the same of it either way. OpenTofu looks for the plan.",
    applies: (part, { where, ours, elsewhere = [] }, theirs) =>
      part === "theirs: ReadResource" &&
      isOfPlan(where) &&
      ours === "create" &&
      elsewhere.some((one) => isDeepStrictEqual(one, theirs)),
  },
  {
    name: "what is replaced goes once its successor can be made",
    why: "OpenTofu deletes what is to be replaced before it changes what its successor needs. Where that change fails, it is gone, and nothing has taken its place. Here it stays until then.",
    parts: true,
    applies: (part, situation, theirs, ours) =>
      situation.theirs === "delete, create" &&
      situation.ours === "delete, create" &&
      waitsForFailed(situation) &&
      (part === "world"
        ? isDeepStrictEqual(theirs, []) && isThereOnce(ours)
        : part === "theirs: ApplyResourceChange" && !isOfPlan(situation.where) && isDelete(theirs)),
  },
  {
    name: "what turns out to need no replacement is not replaced",
    why: "It was to be replaced for a value that was not known, and that has turned out to be what it was. OpenTofu does what its plan says, and makes another one of the same.",
    parts: true,
    applies: (part, { where, theirs, ours, theirPlan, ourRun }, one, other) =>
      /, /.test(theirs ?? "") &&
      ours === theirs &&
      theirPlan.some(({ config }) => holdsUnknown(config)) &&
      !haveDeleted(ourRun) &&
      (part === "world" || part === "state"
        ? isThereOnce(one) && isThereOnce(other)
        : part.includes(": ") && !isOfPlan(where)),
  },
  {
    name: "what is replaced is not lost",
    why: "It is no longer needed by something that is created before it is deleted, and is to be deleted first itself. OpenTofu makes the new one and forgets the old one: it is there still, and in no state. Here it is deleted.",
    parts: true,
    applies: (part, situation, theirs, ours) =>
      situation.theirs === "delete, create" &&
      situation.ours === "delete, create" &&
      wasNeededFirst(situation) &&
      !haveDeleted(situation.theirRun) &&
      haveDeleted(situation.ourRun) &&
      (part === "world"
        ? Object(theirs).length === 2 && isThereOnce(ours)
        : part === "state" || (part.includes(": ") && !isOfPlan(situation.where))),
  },
  {
    name: "refuses a cycle of its own",
    why: "Something is created first, in place of what needed something that goes; what it needs now needed that, too. OpenTofu wants the last one changed after what it needed is gone, and that to go after the old one. Here what goes, goes last.",
    parts: true,
    applies: (part, _situation, theirs, ours) =>
      part === "refused" && ours === undefined && cycleIn(theirs).some((one) => one.includes("(destroy deposed")),
  },
];

export function explained(part: string, situation: Situation, theirs: unknown, ours: unknown): Rule | undefined {
  return RULES.find((rule) => rule.applies(part, situation, theirs, ours));
}
