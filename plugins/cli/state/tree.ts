/** `engine state tree`: scopes and resources as they are nested. */
import type { ListedResource, TreeNode } from "../../admin/operations/index.js";
import { print, printJson } from "../output.js";
import type { InState } from "./in-state.js";
import { marksOf } from "./list.js";

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
