import type { Graph } from "../../admin/operations/index.js";
import { toSvg, xml } from "./svg.js";

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1.5rem; max-width: 100rem; }
  figure { margin: 1rem 0; overflow: auto; border: 1px solid #8886; border-radius: 8px; }
  table { border-collapse: collapse; font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; }
  th, td { text-align: left; padding: .2rem 1rem .2rem 0; vertical-align: top; } td:first-child { text-align: right; }`;

/** Writes the picture and a table of its resources as one self-contained page. */
export async function toHtml(graph: Graph): Promise<string> {
  const { app, stage, nodes, edges } = graph;
  const needs = new Map<string, string[]>();
  for (const { from, to, certain } of edges) {
    needs.set(to, [...(needs.get(to) ?? []), certain ? from : `${from} (likely)`]);
  }
  const rows = nodes.map(({ order, fqn, kind, status }) => {
    const cells = [String(order), fqn, kind, status, (needs.get(fqn) ?? []).join(", ")];
    return `<tr>${cells.map((cell) => `<td>${xml(cell)}</td>`).join("")}</tr>`;
  });
  const name = xml(`${app}/${stage}`);
  const count = nodes.length === 1 ? "1 resource" : `${nodes.length} resources`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${name}</title><style>${STYLE}
</style></head>
<body>
<h1>${name}</h1>
<p>${count}, in the order of their creation. An arrow points from a resource to one that depends on it. A dashed arrow
is a dependency that is not recorded but likely, because of order and values.</p>
<figure>${await toSvg(graph)}</figure>
<table><thead><tr><th></th><th>resource</th><th>kind</th><th>status</th><th>needs</th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table>
</body>
</html>`;
}
