/** Reads a plan from an event. Leaves out invalid members, so that views need not check them again. */
import type { Plan, PlanError, PlanNote, PlannedAction, PropertyChange } from "../../../core/contract/index.js";
import { listIn, type Members, membersIn, numberIn, textIn, textsIn } from "./row.js";

const ACTIONS = ["create", "update", "replace", "adopt", "delete"] as const;
const PHASES = ["up", "destroy", "read"] as const;

export function planIn(event: Members): Plan {
  const counts = membersIn(event, "counts") ?? {};
  const state = membersIn(event, "state") ?? {};
  const stopped = textIn(event, "stopped");
  return {
    format: 1,
    app: textIn(event, "app") ?? "",
    stage: textIn(event, "stage") ?? "",
    phase: PHASES.find((one) => one === event.phase) ?? "up",
    actions: actionsIn(event),
    counts: { ...countsIn(counts), unchanged: numberIn(counts, "unchanged") ?? 0 },
    uncertain: countsIn(membersIn(event, "uncertain") ?? {}),
    unknown: notesIn(event, "unknown"),
    renamed: notesIn(event, "renamed"),
    recordOnly: notesIn(event, "recordOnly"),
    kept: notesIn(event, "kept"),
    leftOut: notesIn(event, "leftOut"),
    ...(stopped === undefined ? {} : { stopped }),
    errors: listIn(event, "errors").map(errorIn),
    state: {
      lineage: textIn(state, "lineage"),
      seq: numberIn(state, "seq") ?? 0,
      lines: numberIn(state, "lines") ?? 0,
      digest: textIn(state, "digest") ?? "",
      contents: textIn(state, "contents"),
    },
  };
}

function countsIn(counts: Members): Plan["uncertain"] {
  return {
    create: numberIn(counts, "create") ?? 0,
    update: numberIn(counts, "update") ?? 0,
    replace: numberIn(counts, "replace") ?? 0,
    adopt: numberIn(counts, "adopt") ?? 0,
    delete: numberIn(counts, "delete") ?? 0,
  };
}

function actionsIn(event: Members): readonly PlannedAction[] {
  return listIn(event, "actions").flatMap((action) => actionIn(action) ?? []);
}

function actionIn(members: Members): PlannedAction | undefined {
  const action = ACTIONS.find((one) => one === members.action);
  if (!action) return undefined;
  const deletes = membersIn(members, "deletes");
  const does = deletes && textIn(deletes, "does");
  const first = textsIn(members, "deletesFirst");
  return {
    ...noteIn(members),
    action,
    changes: changesIn(members, "changes"),
    drift: changesIn(members, "drift"),
    certain: members.certain !== false,
    mayReplace: members.mayReplace === true,
    ...(members.replaced === true ? { replaced: true as const } : {}),
    ...(members.props === undefined ? {} : { props: members.props }),
    ...(first.length > 0 ? { deletesFirst: first } : {}),
    ...(deletes && {
      deletes: {
        ...(does === undefined ? {} : { does }),
        output: changesIn(deletes, "output"),
        uid: textIn(deletes, "uid") ?? "",
        digest: textIn(deletes, "digest") ?? "",
      },
    }),
  };
}

function notesIn(members: Members, name: string): readonly PlanNote[] {
  return listIn(members, name).map(noteIn);
}

function noteIn(members: Members): PlanNote {
  return {
    kind: textIn(members, "kind") ?? "",
    id: textIn(members, "id") ?? "",
    fqn: textIn(members, "fqn") ?? "",
    reason: textIn(members, "reason") ?? "",
    ...(members.quiet === true ? { quiet: true as const } : {}),
  };
}

function errorIn(members: Members): PlanError {
  const fqn = textIn(members, "fqn");
  const [code, message] = [textIn(members, "code") ?? "", textIn(members, "message") ?? ""];
  return fqn === undefined ? { code, message } : { code, message, fqn };
}

export function changesIn(members: Members, name: string): readonly PropertyChange[] {
  return listIn(members, name).map((change) => ({
    path: textIn(change, "path") ?? "",
    ...("old" in change ? { old: change.old } : {}),
    ...("new" in change ? { new: change.new } : {}),
    ...(Array.isArray(change.lines) ? { lines: textsIn(change, "lines") } : {}),
  }));
}
