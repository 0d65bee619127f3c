import { type Graph, type GraphNode, nodeNames } from "../../admin/operations/index.js";

const STYLES = {
  pending: "stroke:#c77700,stroke-width:2px",
  replaced: "stroke-dasharray:4 3",
} as const;

/** Draws a flow chart for Mermaid, which GitHub, GitLab and many editors show. */
export function toMermaid(graph: Graph): string {
  const names = nodeNames(graph);
  const lines = ["flowchart LR", ...inside(graph, undefined, "  ")];
  for (const { from, to, certain } of graph.edges) {
    lines.push(`  ${names.get(from)} ${certain ? "-->" : "-.->"} ${names.get(to)}`);
  }
  for (const [status, style] of Object.entries(STYLES)) {
    const those = graph.nodes.filter((node) => node.status === status).map(({ name }) => name);
    if (those.length > 0) lines.push(`  classDef ${status} ${style}`, `  class ${those.join(",")} ${status}`);
  }
  return lines.join("\n");
}

function inside(graph: Graph, group: string | undefined, indent: string): string[] {
  return [
    ...graph.nodes.filter((node) => node.group === group).map((node) => `${indent}${node.name}["${label(node)}"]`),
    ...graph.groups
      .filter((one) => one.group === group)
      .flatMap(({ name, id }) => [
        `${indent}subgraph ${name}["${escaped(id)}"]`,
        ...inside(graph, name, `${indent}  `),
        `${indent}end`,
      ]),
  ];
}

function label({ order, id, kind }: GraphNode): string {
  return `${order}. ${escaped(id)}<br/><small>${escaped(kind)}</small>`;
}

/** Escapes all characters except letters and digits as numeric entities of Mermaid. */
function escaped(text: string): string {
  return text.replace(/[^\p{L}\p{N} _.:/-]/gu, (char) => `#${char.codePointAt(0)};`);
}
