/** `engine state list`, `tree` and `show`: print recorded resources. */
import type { ListedResource, TreeNode } from "../../admin/operations/index.js";
import { counted } from "../../internal/text/counted.js";
import { plainJson, plainLine } from "../../internal/text/plain-text.js";
import { print, printJson, printLines, say } from "../output.js";
import { type Column, table } from "../table.js";
import { holderText } from "./approval.js";
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
  if (resources.length === 0) return say(`The state of "${app}/${stage}" contains no resources.`);
  printLines(await table(resources, COLUMNS));
  const pending = resources.filter(({ status }) => status !== "ready").length;
  say(`${counted(resources.length, "resource")}${pending > 0 ? `, ${pending} pending` : ""}`);
}

/** Lists the marks of a resource, such as "protected". */
export function marksOf({ protect, retain, replaced, deleteFailed }: ListedResource): string {
  const marks = [
    protect && "protected",
    retain && "retained",
    replaced && "old copy",
    deleteFailed !== undefined && `delete failed at ${deleteFailed.time}`,
  ];
  return marks.filter((mark) => mark !== false).join(", ");
}

/** `engine state tree`: prints scopes and resources as a tree. */
export async function tree({ admin, given }: InState): Promise<void> {
  const root = await admin.tree();
  if (given.json === true) return printJson({ app: admin.app, stage: admin.stage, tree: asJson(root) });
  print(root.name);
  for (const line of branches(root, "")) print(line);
}

function asJson({ name, fqn, resource, children }: TreeNode): object {
  const { kind, status, protect } = resource ?? {};
  return { name, fqn, kind, status, protect, children: children.map(asJson) };
}

function branches({ children }: TreeNode, indent: string): readonly string[] {
  return children.flatMap((child, at) => {
    const isLast = at === children.length - 1;
    return [
      `${indent}${isLast ? "└─ " : "├─ "}${child.name}${child.resource ? about(child.resource) : "/"}`,
      ...branches(child, `${indent}${isLast ? "   " : "│  "}`),
    ];
  });
}

function about(resource: ListedResource): string {
  const { kind, status } = resource;
  const mark = [status === "ready" ? "" : status, marksOf(resource)].filter(Boolean).join(", ");
  return `  ${kind}${mark ? `  (${mark})` : ""}`;
}

/** `engine state show`: prints the records of a name. */
export async function show({ admin, given }: InState, name: string): Promise<void> {
  const detail = await admin.show(name, { secrets: given.showSecrets === true });
  if (given.json === true) return printJson({ app: admin.app, stage: admin.stage, ...detail });
  const { resources, scope } = detail;
  for (const one of scope ? [scope] : resources) {
    const { fqn, ...members } = one;
    print(fqn);
    // A settled record has no attempt.
    const shown = "attempt" in members && members.attempt === 0 ? { ...members, attempt: undefined } : members;
    for (const line of memberLines(shown)) print(line);
  }
}

// Formatting of a plain value as indented lines for people.

const STEP = "  ";

/** Formats members as lines, without those that are empty, false or absent. */
export function memberLines(members: object, indent = STEP): readonly string[] {
  return Object.entries(members).flatMap(([name, value]) => (isSilent(value) ? [] : lines(name, value, indent)));
}

function lines(name: string, value: unknown, indent: string): readonly string[] {
  if (Array.isArray(value)) {
    return [`${indent}${scalar(name)}`, ...value.flatMap((one, at) => element(one, at, indent + STEP))];
  }
  if (typeof value === "object" && value !== null) {
    const inner = Object.entries(value).flatMap(([key, member]) => lines(key, member, indent + STEP));
    return inner.length > 0 ? [`${indent}${scalar(name)}`, ...inner] : [`${indent}${scalar(name)}  {}`];
  }
  return [`${indent}${scalar(name)}  ${scalar(value)}`];
}

function element(value: unknown, at: number, indent: string): readonly string[] {
  return typeof value === "object" && value !== null ? lines(`[${at}]`, value, indent) : [`${indent}${scalar(value)}`];
}

function scalar(value: unknown): string {
  if (value === undefined) return "undefined";
  return typeof value === "string" && value !== "" && plainLine(value) === value ? value : plainJson(value);
}

function isSilent(value: unknown): boolean {
  if (value === undefined || value === false) return true;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
