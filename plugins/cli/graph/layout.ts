/** Where everything stands in a picture: each group by itself, from the inside out. */
import stringWidth from "string-width";
import { type Graph, type GraphNode, nodeNames } from "../../admin/operations/index.js";

export interface Box {
  /** Of the upper left corner, in pixels. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Layout {
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
/** Above what is in a group, for its name. */
const HEADING = 12;

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
  /** By group: what is in it, relative to it. */
  readonly #arranged = new Map<string | undefined, ReadonlyMap<string, Box>>();

  constructor(graph: Graph, dagre: Dagre) {
    this.#graph = graph;
    this.#dagre = dagre;
    this.#names = nodeNames(graph);
    for (const { name, group } of [...graph.groups, ...graph.nodes]) {
      this.#paths.set(name, [...(group === undefined ? [] : (this.#paths.get(group) ?? [])), name]);
    }
  }

  /** Arranges a group and all groups in it; what it takes up. */
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
      // dagre gives the middle.
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

  /** Between what stands in the group, where something in the one needs something in the other. */
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
