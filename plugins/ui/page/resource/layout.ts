/** Places the nodes of a neighbourhood: dependencies on the left of their dependents. Pure. */
import { Graph, layout as place } from "@dagrejs/dagre";
import type { Neighbourhood } from "../../api/index.js";

/** The size of all nodes. */
export interface NodeSize {
  readonly width: number;
  readonly height: number;
}

export interface Placed {
  readonly size: NodeSize;
  readonly nodes: readonly { readonly x: number; readonly y: number }[];
  readonly edges: readonly { readonly d: string; readonly isCertain: boolean }[];
  readonly width: number;
  readonly height: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const HEIGHT = 64;
const MARGIN = 12;
/** Widths of nodes, and of the gaps between columns, in pixels: they use the width of the canvas. */
const WIDTHS = { least: 104, narrow: 160, most: 260 };
const GAPS = { least: 30, usual: 64, most: 150 };

/** @param room width of the canvas in pixels */
export function placed({ nodes, edges }: Neighbourhood, room: number): Placed {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 14, edgesep: 14, ranksep: 60 });
  graph.setDefaultEdgeLabel(() => ({}));
  nodes.forEach((_, index) => {
    graph.setNode(`${index}`, { width: WIDTHS.most, height: HEIGHT });
  });
  for (const { from, to } of edges) if (from !== to) graph.setEdge(`${from}`, `${to}`, {});
  place(graph);
  const centres = nodes.map((_, index) => pointIn(graph.node(`${index}`)));
  const columns = [...new Set(centres.map(({ x }) => x))].sort((one, other) => one - other);
  const { width, gap } = widthsFor(columns.length, room);
  const top = Math.min(...centres.map(({ y }) => y)) - HEIGHT / 2 - MARGIN;
  const leftOf = (column: number): number => MARGIN + column * (width + gap);
  const places = centres.map(({ x, y }) => ({ x: leftOf(columns.indexOf(x)), y: y - HEIGHT / 2 - top }));
  const routes = edges.flatMap(({ from, to, certain }) => {
    const [start, end] = [places[from], places[to]];
    if (from === to || !start || !end) return [];
    const points: readonly Partial<Point>[] = graph.edge(`${from}`, `${to}`).points ?? [];
    // In each column between its ends, dagre reserves a lane that no node covers.
    const lanes = points
      .slice(1, -1)
      .map(pointIn)
      .flatMap(({ x, y }) => {
        const column = columns.indexOf(x);
        return column < 0 ? [] : [{ x: leftOf(column), y: y - top }];
      });
    return [{ start, end, lanes, isCertain: certain }];
  });
  const heights = [...places.map(({ y }) => y + HEIGHT), ...routes.flatMap(({ lanes }) => lanes.map(({ y }) => y))];
  return {
    size: { width, height: HEIGHT },
    nodes: places,
    edges: routes.map(({ start, end, lanes, isCertain }) => ({ d: route(start, end, lanes, width), isCertain })),
    width: leftOf(columns.length) - gap + MARGIN,
    height: Math.max(...heights) + MARGIN,
  };
}

function pointIn({ x = 0, y = 0 }: Partial<Point>): Point {
  return { x, y };
}

function widthsFor(columns: number, room: number): { readonly width: number; readonly gap: number } {
  const within = ({ least, most }: { least: number; most: number }, value: number): number =>
    Math.max(least, Math.min(most, value));
  const [free, gaps] = [room - 2 * MARGIN, columns - 1];
  const wide = (free - GAPS.usual * gaps) / columns;
  const width = within(WIDTHS, wide >= WIDTHS.narrow ? wide : (free - GAPS.least * gaps) / columns);
  return { width, gap: within(GAPS, (free - width * columns) / Math.max(1, gaps)) };
}

/** Length of the arrow's end, which is straight. */
const TIP = 7;

/** Runs straight through columns, and bends only between them: so it crosses no node. */
function route(start: Point, end: Point, lanes: readonly Point[], width: number): string {
  const isForward = start.x <= end.x;
  const sides = ({ x }: Point): readonly [near: number, far: number] => (isForward ? [x, x + width] : [x + width, x]);
  const middle = HEIGHT / 2;
  const [, out] = sides(start);
  const [into] = sides(end);
  const tip = isForward ? into - TIP : into + TIP;
  let [x, y] = [out, start.y + middle];
  let path = `M${x} ${y}`;
  const bendTo = (nextX: number, nextY: number): void => {
    const half = (x + nextX) / 2;
    path += `C${half} ${y} ${half} ${nextY} ${nextX} ${nextY}`;
    [x, y] = [nextX, nextY];
  };
  for (const lane of lanes) {
    const [near, far] = sides(lane);
    bendTo(near, lane.y);
    path += `H${far}`;
    x = far;
  }
  bendTo(tip, end.y + middle);
  return `${path}H${into}`;
}
