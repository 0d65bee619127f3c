import stringWidth from "string-width";
import { type Graph, type GraphGroup, type GraphNode, nodeNames } from "../../admin/operations/index.js";

const STYLE = `
  svg { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 13px; background: #fff; }
  text { fill: #1c2330; } .kind { font-size: 11px; fill: #5b6576; } .group-name { font-size: 12px; fill: #5b6576; }
  .node rect { fill: #f6f8fb; stroke: #8a95a8; } .group rect { fill: none; stroke: #b9c1ce; stroke-dasharray: 2 3; }
  .edge { fill: none; stroke: #8a95a8; stroke-width: 1.3; } .head { fill: #8a95a8; }
  .likely { stroke-dasharray: 5 4; }
  .pending rect { stroke: #c77700; stroke-width: 2; } .replaced rect { stroke-dasharray: 5 3; } .replaced { opacity: .6; }
  @media (prefers-color-scheme: dark) {
    svg { background: #14181f; } text { fill: #e4e8ef; } .kind, .group-name { fill: #98a3b5; }
    .node rect { fill: #1d232d; stroke: #657187; } .group rect { stroke: #3c4656; } .pending rect { stroke: #f0a43a; }
  }`;

/** Draws a self-contained picture that follows the reader's dark mode. */
export async function toSvg(graph: Graph): Promise<string> {
  const layout = await layOut(graph);
  const { width, height } = layout;
  const [w, h] = [Math.ceil(width), Math.ceil(height)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img">`,
    `<title>${xml(`${graph.app}/${graph.stage}`)}</title>`,
    `<style>${STYLE}\n</style>`,
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">',
    '<path class="head" d="M0 0 8 4 0 8z"/></marker></defs>',
    ...graph.groups.map((group) => groupShape(group, boxAt(layout, group.name))),
    ...edgeShapes(graph, layout),
    ...graph.nodes.map((node) => nodeShape(node, boxAt(layout, node.name))),
    "</svg>",
  ].join("\n");
}

function boxAt({ boxes }: Layout, name: string): Box {
  return boxes.get(name) ?? { x: 0, y: 0, width: 0, height: 0 };
}

function edgeShapes(graph: Graph, layout: Layout): string[] {
  const names = nodeNames(graph);
  return graph.edges.map(({ from, to, certain }) => {
    const [a, b] = [boxAt(layout, names.get(from) ?? ""), boxAt(layout, names.get(to) ?? "")];
    const [x, y, toX, toY] = [a.x + a.width, a.y + a.height / 2, b.x, b.y + b.height / 2].map(round);
    const bend = round(Math.max(24, Math.abs(b.x - a.x - a.width) / 2));
    const path = `M${x} ${y}C${round(a.x + a.width + bend)} ${y} ${round(b.x - bend)} ${toY} ${toX} ${toY}`;
    return `<path class="edge${certain ? "" : " likely"}" marker-end="url(#head)" d="${path}"/>`;
  });
}

function groupShape({ id, fqn, kind }: GraphGroup, box: Box): string {
  const name = `<text class="group-name" x="${round(box.x + 8)}" y="${round(box.y + 15)}">${xml(id)}</text>`;
  return `<g class="group"><title>${xml(kind === undefined ? fqn : `${fqn} (${kind})`)}</title>${rect(box)}${name}</g>`;
}

function nodeShape({ id, fqn, kind, order, status }: GraphNode, box: Box): string {
  const [x, y] = [round(box.x + 14), box.y];
  const title = status === "ready" ? `${fqn} (${kind})` : `${fqn} (${kind}, ${status})`;
  return [
    `<g class="node ${status}"><title>${xml(title)}</title>${rect(box)}`,
    `<text x="${x}" y="${round(y + 19)}">${order}. ${xml(id)}</text>`,
    `<text class="kind" x="${x}" y="${round(y + 35)}">${xml(kind)}</text></g>`,
  ].join("");
}

function rect({ x, y, width, height }: Box): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="6"/>`;
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a text for XML. */
export function xml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
}

/** Position and size in a picture. */
interface Box {
  /** Of the upper left corner, in pixels. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Layout {
  readonly width: number;
  readonly height: number;
  /** By the names of nodes and groups. */
  readonly boxes: ReadonlyMap<string, Box>;
}

type Size = Pick<Box, "width" | "height">;

type Dagre = typeof import("@dagrejs/dagre");

/** Width of a column of text in a picture, in pixels. */
const COLUMN = 7.9;

const PADDING = 14;

const HEIGHT = 44;

const MARGIN = 20;

/** Space for the name of a group, above its contents. */
const HEADING = 12;

/** Arranges each group by itself, from the inside out, and then places it. */
export async function layOut(graph: Graph): Promise<Layout> {
  const picture = new Picture(graph, await import("@dagrejs/dagre"));
  const { width, height } = picture.arrange(undefined);
  picture.place(undefined, 0, 0);
  return { width, height, boxes: picture.boxes };
}

class Picture {
  readonly boxes = new Map<string, Box>();
  readonly #graph: Graph;
  readonly #dagre: Dagre;
  readonly #names: ReadonlyMap<string, string>;
  /** The groups that a name is in, the outermost first, and the name itself. */
  readonly #paths = new Map<string, readonly string[]>();
  /** Boxes in each group, relative to the group. */
  readonly #arranged = new Map<string | undefined, ReadonlyMap<string, Box>>();

  constructor(graph: Graph, dagre: Dagre) {
    this.#graph = graph;
    this.#dagre = dagre;
    this.#names = nodeNames(graph);
    for (const { name, group } of [...graph.groups, ...graph.nodes]) {
      this.#paths.set(name, [...(group === undefined ? [] : (this.#paths.get(group) ?? [])), name]);
    }
  }

  /** Arranges a group and all groups in it, and returns its size. */
  arrange(group: string | undefined): Size {
    const drawing = new this.#dagre.Graph();
    drawing.setGraph({ rankdir: "LR", nodesep: 16, ranksep: 44, marginx: MARGIN, marginy: MARGIN });
    drawing.setDefaultEdgeLabel(() => ({}));
    for (const node of this.#graph.nodes) if (node.group === group) drawing.setNode(node.name, sizeOf(node));
    for (const inner of this.#graph.groups)
      if (inner.group === group) drawing.setNode(inner.name, this.arrange(inner.name));
    for (const [from, to] of this.#edgesIn(group)) drawing.setEdge(from, to);
    this.#dagre.layout(drawing);
    const heading = group === undefined ? 0 : HEADING;
    const boxes = drawing.nodes().map((name: string): [string, Box] => {
      const { x = 0, y = 0, width = 0, height = 0 } = drawing.node(name);
      // dagre returns the center.
      return [name, { x: x - width / 2, y: y - height / 2 + heading, width, height }];
    });
    this.#arranged.set(group, new Map(boxes));
    const { width = 0, height = 0 } = drawing.graph();
    return { width: Math.max(width, 2 * MARGIN), height: Math.max(height, 2 * MARGIN) + heading };
  }

  place(group: string | undefined, left: number, top: number): void {
    for (const [name, box] of this.#arranged.get(group) ?? []) {
      const placed = { ...box, x: left + box.x, y: top + box.y };
      this.boxes.set(name, placed);
      if (this.#arranged.has(name)) this.place(name, placed.x, placed.y);
    }
  }

  /** Edges between the direct members of the group, if one contains a dependency of the other. */
  #edgesIn(group: string | undefined): readonly (readonly [string, string])[] {
    const depth = group === undefined ? 0 : (this.#paths.get(group)?.length ?? 0);
    const seen = new Map<string, readonly [string, string]>();
    for (const edge of this.#graph.edges) {
      const [from, to] = [this.#pathOf(edge.from), this.#pathOf(edge.to)];
      if (group !== undefined && (from[depth - 1] !== group || to[depth - 1] !== group)) continue;
      const [a, b] = [from[depth], to[depth]];
      if (a !== undefined && b !== undefined && a !== b) seen.set(`${a} ${b}`, [a, b]);
    }
    return [...seen.values()];
  }

  #pathOf(fqn: string): readonly string[] {
    return this.#paths.get(this.#names.get(fqn) ?? "") ?? [];
  }
}

function sizeOf({ order, id, kind }: GraphNode): Size {
  const columns = Math.max(stringWidth(`${order}. ${id}`), stringWidth(kind) * 0.85);
  return { width: Math.ceil(columns * COLUMN) + 2 * PADDING, height: HEIGHT };
}
