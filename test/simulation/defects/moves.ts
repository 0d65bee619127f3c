import type { Defect } from "./defect.ts";

const area = "moves";
const [finish, transfer] = [
  "plugins/admin/operations/between/finish.ts",
  "plugins/admin/operations/between/transfer.ts",
];

/** Defects that histories of two stages find: see `--world moves`. */
export const moveDefects: readonly Defect[] = [
  {
    name: "a move that the source has decided is undone",
    area,
    file: finish,
    find: "afterMove(target.contents, arrived) : undoing(arrived)",
    replace: "undoing(arrived) : undoing(arrived)",
  },
  {
    name: "a move that the source has not decided is finished",
    area,
    file: finish,
    find: "afterMove(target.contents, arrived) : undoing(arrived)",
    replace: "afterMove(target.contents, arrived) : afterMove(target.contents, arrived)",
  },
  {
    name: "an undone move leaves its data in the target",
    area,
    file: finish,
    find: '...data.map(([owner, key]): Change => ({ op: "data", owner, key })),\n    UNMARK_MOVE,',
    replace: "UNMARK_MOVE,",
  },
  {
    name: "the source loses its records before the target has them",
    area,
    file: transfer,
    find: 'await target.commit([...added, ...others, markMove({ ...mark, part: "target", other: from })], "now");',
    replace: "",
  },
  {
    name: "the target gets no data",
    area,
    file: transfer,
    find: "for (const [owner, key] of data) others.push(await resealedData(ends, owner, key));",
    replace: "",
  },
  {
    name: "the source is not marked",
    area,
    file: transfer,
    find: 'await source.commit([...left, markMove({ ...mark, uids: [], data: [], part: "source", other: to })], "now");',
    replace: 'await source.commit(left, "now");',
  },
];
