import { type Graph, nodeNames } from "../../admin/operations/index.js";

const STYLES = { ready: "", pending: ', color="#c77700", penwidth=2', replaced: ", style=dashed" } as const;

/** Draws in the language of Graphviz: `engine graph --format dot | dot -Tpng > stage.png`. */
export function toDot(graph: Graph): string {
  const names = nodeNames(graph);
  return [
    `digraph ${quoted(`${graph.app}/${graph.stage}`)} {`,
    '  rankdir=LR; node [shape=box, fontname="sans-serif"]; graph [fontname="sans-serif"];',
    ...inside(graph, undefined, "  "),
    ...graph.edges.map(
      ({ from, to, certain }) => `  ${names.get(from)} -> ${names.get(to)}${certain ? "" : " [style=dashed]"};`,
    ),
    "}",
  ].join("\n");
}

function inside(graph: Graph, group: string | undefined, indent: string): string[] {
  return [
    ...graph.nodes
      .filter((node) => node.group === group)
      .map(
        ({ name, order, id, kind, fqn, status }) =>
          `${indent}${name} [label=${quoted(`${order}. ${id}\n${kind}`)}, tooltip=${quoted(fqn)}${STYLES[status]}];`,
      ),
    ...graph.groups
      .filter((one) => one.group === group)
      .flatMap(({ name, id }) => [
        `${indent}subgraph cluster_${name} {`,
        `${indent}  label=${quoted(id)};`,
        ...inside(graph, name, `${indent}  `),
        `${indent}}`,
      ]),
  ];
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
