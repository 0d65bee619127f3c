/** The entries of a move: one in the target, one in the source, and one in each that ends it. */
import { retainedOwner } from "../../../../core/contract/index.js";
import {
  type Change,
  isNameRetained,
  keepMovedName,
  type MoveMark,
  markMove,
  UNMARK_MOVE,
} from "../../../../core/state/index.js";
import { afterMove } from "./finish.js";
import { distance, type Ends, resealedData, resealedRecord } from "./resealed.js";
import type { Selection } from "./select.js";

interface Naming extends Pick<MoveMark, "id" | "command"> {
  /** FQNs of the two stages. */
  readonly from: string;
  readonly to: string;
}

/** Writes the four entries. Both stages are locked. */
export async function transfer(ends: Ends, selection: Selection, { id, command, from, to }: Naming): Promise<void> {
  const [source, target] = [ends.from.ledger, ends.to.ledger];
  const { records, data, names } = selection;
  const later = distance(target.contents, records);
  const added: Change[] = [];
  for (const record of records) added.push(...(await resealedRecord(ends, record, later)));
  const others: Change[] = names
    .filter(({ name }) => !isNameRetained(target.contents, name))
    .map(({ name, key, kind, since }) => ({
      op: "data",
      owner: retainedOwner,
      key: name,
      value: { key, kind, since },
    }));
  for (const [owner, key] of data) others.push(await resealedData(ends, owner, key));
  const mark: Omit<MoveMark, "part" | "other"> = {
    id,
    command,
    uids: records.map(({ uid }) => uid),
    data: others.flatMap((one) => (one.op === "data" ? [[one.owner, one.key] as const] : [])),
  };
  await target.commit([...added, ...others, markMove({ ...mark, part: "target", other: from })], "now");
  const { since } = ends.from.run;
  const left: Change[] = [
    ...records.flatMap((record): Change[] => [{ op: "drop", uid: record.uid }, keepMovedName(record, since, to)]),
    ...names.map(({ name, key, kind }) => keepMovedName({ physicalName: name, key, kind, uid: "" }, since, to)),
    ...data.map(([owner, key]): Change => ({ op: "data", owner, key })),
  ];
  await source.commit([...left, markMove({ ...mark, uids: [], data: [], part: "source", other: to })], "now");
  await target.commit(afterMove(target.contents, mark), "now");
  await source.commit([UNMARK_MOVE], "now");
}
