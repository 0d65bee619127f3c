import type { Defect } from "./defect.ts";

const area = "lifecycle";

export const lifecycle: readonly Defect[] = [
  {
    name: "a handler begins before its intent is durable",
    area,
    file: "core/lifecycle/attempt.ts",
    find: 'await app.ledger.commit(intentOf(app.ledger.contents, input), "now");',
    replace: 'void app.ledger.commit(intentOf(app.ledger.contents, input), "now");',
  },
  {
    name: "a delete begins before its intent is durable",
    area,
    file: "core/lifecycle/delete-one.ts",
    find: 'await app.ledger.commit([{ op: "patch", uid, set: intent }, ...unsettle(app, record)], "now");',
    replace: 'void app.ledger.commit([{ op: "patch", uid, set: intent }, ...unsettle(app, record)], "now");',
  },
  {
    name: "a create is finished without an intent",
    area,
    file: "core/lifecycle/look.ts",
    find: '  await app.ledger.commit([{ op: "patch", uid: before.uid, set }], "now");\n',
    replace: "",
  },
  {
    name: "a create that is called again has another token",
    area,
    file: "core/lifecycle/create.ts",
    find: "token: samePropsAgain ? before.token : uuid(),",
    replace: "token: uuid(),",
  },
  {
    name: "children of what is skipped are orphans",
    area,
    file: "core/lifecycle/orphans.ts",
    find: "return !parent || record.dropped === true || isOrphanParent(parent);",
    replace: "return !parent || !record.dropped || isOrphanParent(parent);",
  },
  {
    name: "what a handler no longer declares is not marked",
    area,
    file: "core/lifecycle/attempt.ts",
    find: "return app.record(dropped.length > 0 ? [own, ...dropped] : [own]);",
    replace: "return app.record([own]);",
  },
  {
    name: "old copies are not deleted",
    area,
    file: "core/lifecycle/prune.ts",
    find: "selectedOf(app, selection, [...old, ...orphans])",
    replace: "selectedOf(app, selection, orphans)",
  },
  {
    name: "an interrupted update is skipped",
    area,
    file: "core/lifecycle/decide.ts",
    find: "if (changes.length === 0 && !recovering && !(force && canUpdate))",
    replace: "if (changes.length === 0 && !(force && canUpdate))",
  },
  {
    name: "an interrupted create that nobody can tell of is deleted as if it had succeeded",
    area,
    file: "core/lifecycle/settle-create.ts",
    find: "    warn(deletion);\n    return false;",
    replace: "    warn(deletion);\n    return true;",
  },
  {
    name: "what could not be deleted holds up nothing",
    area,
    file: "core/lifecycle/delete-tree.ts",
    find: "      order.failed(record.uid);\n    }\n    running--;",
    replace: "      order.finished(record.uid);\n    }\n    running--;",
  },
  {
    name: "an interrupted delete is not finished before a new create",
    area,
    file: "core/lifecycle/act.ts",
    find: "return deleteTree(task.app, record).then(async () => create(await renewed(task)));",
    replace: "return Promise.resolve(renewed(task)).then(create);",
  },
];
