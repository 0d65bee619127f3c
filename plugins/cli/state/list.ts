/** `engine state list`: what is recorded. */

import type { ListedResource } from "../../admin/operations/index.js";
import { printJson, printLines, say } from "../output.js";
import { type Column, table } from "../table.js";
import { counted } from "./approval.js";
import { holderText } from "./holder-text.js";
import type { InState } from "./in-state.js";

const COLUMNS: readonly Column<ListedResource>[] = [
  { title: "NAME", text: ({ fqn }) => fqn, cut: "middle" },
  { title: "KIND", text: ({ kind }) => kind },
  { title: "STATUS", text: ({ status, since }) => (since === undefined ? status : `${status} since ${since}`) },
  { title: "", text: marksOf },
];

export async function list({ admin, given }: InState, patterns: readonly string[]): Promise<void> {
  const { app, stage } = admin;
  const { holder, resources } = await admin.list(patterns);
  if (given.json === true) return printJson({ app, stage, lock: holder ?? null, resources });
  if (holder) say(`locked by ${holderText(holder)}`);
  if (resources.length === 0) return say(`Nothing is recorded of "${app}/${stage}".`);
  printLines(await table(resources, COLUMNS));
  const pending = resources.filter(({ status }) => status !== "ready").length;
  say(`${counted(resources.length, "resource")}${pending > 0 ? `, ${pending} pending` : ""}`);
}

/** What is special about it. */
export function marksOf({ protect, retain, replaced, deleteFailed }: ListedResource): string {
  const marks = [
    protect && "protected",
    retain && "retained",
    replaced && "old copy",
    deleteFailed !== undefined && `delete failed at ${deleteFailed.time}`,
  ];
  return marks.filter((mark) => mark !== false).join(", ");
}
