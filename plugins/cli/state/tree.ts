/** `engine state tree`: scopes and resources as they are nested. */
import { fqnOf, listed, pathIn, scopesIn } from "../../../core/admin/index.js";
import { print, printJson } from "../output.js";
import { type InState, look } from "./in-state.js";
import { marksOf } from "./list.js";

interface Node {
  readonly name: string;
  readonly fqn: string;
  /** Absent for a scope. */
  readonly kind?: string;
  readonly status?: string;
  readonly protect?: boolean;
  readonly children: Node[];
}

export async function tree(context: InState): Promise<void> {
  const { settings, given } = context;
  const { naming } = await look(context);
  const { app, stage } = settings;
  const root: Node = { name: `${app}/${stage}`, fqn: `${app}/${stage}`, children: [] };
  const nodes = new Map<string, Node>([["", root]]);
  const marks = new Map<Node, string>();
  const place = (path: string, more: Partial<Node> = {}): Node => {
    const known = nodes.get(path);
    if (known && Object.keys(more).length === 0) return known;
    const at = path.lastIndexOf("/");
    const node: Node = {
      name: path.slice(at + 1),
      fqn: fqnOf(settings, path),
      ...more,
      children: known?.children ?? [],
    };
    const siblings = place(path.slice(0, Math.max(0, at))).children;
    if (known) siblings.splice(siblings.indexOf(known), 1, node);
    else siblings.push(node);
    nodes.set(path, node);
    return node;
  };
  for (const path of [...scopesIn(naming.contents)].sort()) place(path);
  for (const row of listed(naming)) {
    const path = pathIn(settings, row.fqn) ?? "";
    // An old copy has the name of its successor.
    if (row.replaced && nodes.get(path)?.kind !== undefined) continue;
    const node = place(path, { kind: row.kind, status: row.status, protect: row.protect });
    marks.set(node, [row.status === "ready" ? "" : row.status, marksOf(row)].filter(Boolean).join(", "));
  }
  sort(root);
  if (given.json === true) return printJson({ app, stage, tree: root });
  print(root.name);
  for (const line of branches(root, marks, "")) print(line);
}

function sort(node: Node): void {
  node.children.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const child of node.children) sort(child);
}

function branches({ children }: Node, marks: ReadonlyMap<Node, string>, indent: string): readonly string[] {
  return children.flatMap((child, at) => {
    const isLast = at === children.length - 1;
    const mark = marks.get(child);
    const about = child.kind === undefined ? "/" : `  ${child.kind}${mark ? `  (${mark})` : ""}`;
    return [
      `${indent}${isLast ? "└─ " : "├─ "}${child.name}${about}`,
      ...branches(child, marks, `${indent}${isLast ? "   " : "│  "}`),
    ];
  });
}
