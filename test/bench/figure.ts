/** The figure of the documentation: cost of a resource against the size of the stage, ours and a peer's, as SVG. */
import { axes, type Range, rangeOf, scaleTo } from "./axes.js";
import { medianOf } from "./measured.js";
import { PEERS } from "./peers.js";
import type { Report } from "./report.js";
import { spread } from "./spread.js";
import { element, text } from "./svg.js";

export interface Point {
  readonly n: number;
  /** Microseconds for each resource. */
  readonly us: number;
}

export interface Line {
  readonly side: "ours" | "alchemy";
  readonly operation: (typeof OPERATIONS)[number];
  readonly points: readonly Point[];
}

const OPERATIONS = ["create", "unchanged", "destroy"] as const;
const TITLES = { ours: "scope-engine", alchemy: PEERS.alchemy.title } as const;

const WIDTH = 700;
const HEIGHT = 460;
const LEFT = 94;
const RIGHT = 214;
const TOP = 58;
const BOTTOM = 62;
/** Height of labels at the ends of lines, which must not overlap. */
const LABEL_HEIGHT = 18;

// The figure has a background of its own: an image cannot know whether the page around it is light or dark.
const STYLE = `
text{font:14px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:#1d2330}
.head{font-size:17px;font-weight:600}.ground{fill:#fff;stroke:#d5d9e0}.grid{stroke:#e4e8f0}.lead{stroke-width:1;opacity:.6}
.line{fill:none;stroke-width:2.5}.ours .line,.ours .lead{stroke:#1557b0}.ours .dot,.ours text{fill:#1557b0}
.alchemy .line,.alchemy .lead{stroke:#a8480a}.alchemy .dot,.alchemy text{fill:#a8480a}.alchemy .line{stroke-dasharray:7 4}
@media (prefers-color-scheme:dark){text{fill:#e4e7ec}.ground{fill:#16191f;stroke:#3d4553}.grid{stroke:#2f3643}
.ours .line,.ours .lead{stroke:#79b8ff}.ours .dot,.ours text{fill:#79b8ff}
.alchemy .line,.alchemy .lead{stroke:#ffa657}.alchemy .dot,.alchemy text{fill:#ffa657}}`;

/** @throws Error if the report has no row that the figure shows */
export function figureOf(report: Report): string {
  const lines = linesOf(report);
  const points = lines.flatMap((line) => line.points);
  if (points.length === 0) {
    throw new Error(
      "Nothing to draw: the report has no creates, unchanged runs and destroys on files, one after the other.",
    );
  }
  const x = scaleTo(rangeOf(points.map(({ n }) => n)), LEFT, WIDTH - RIGHT);
  const y = scaleTo(rangeOf(points.map(({ us }) => us)), HEIGHT - BOTTOM, TOP);
  const children = [
    element("title", { id: "title" }, [text("What a resource costs the engine, by the size of the stage")]),
    element("desc", { id: "desc" }, [text(description(lines))]),
    element("style", {}, [STYLE]),
    element("rect", { class: "ground", x: 0.5, y: 0.5, width: WIDTH - 1, height: HEIGHT - 1, rx: 8 }),
    element("text", { class: "head", x: 20, y: 34 }, [text("Time per resource, one after the other, state in files")]),
    ...axes({ x, y, xTitle: "resources in the stage", yTitle: "µs per resource" }),
    ...drawn(lines, x, y),
  ];
  const frame = {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    width: WIDTH,
    height: HEIGHT,
  };
  return `${element("svg", { ...frame, role: "img", "aria-labelledby": "title desc" }, children)}\n`;
}

/** Lines with at least one point; rows that the figure does not show are left out. */
function linesOf({ rows }: Report): Line[] {
  const all = (["ours", "alchemy"] as const).flatMap((side) =>
    OPERATIONS.map((operation): Line => {
      const points = rows.flatMap(({ work, sides }): Point[] => {
        if (work.kind !== "stage" || work.operation !== operation) return [];
        if (work.how !== "seq" || work.store !== "fs" || work.secrets) return [];
        const measured = medianOf(sides[side]);
        return measured === undefined ? [] : [{ n: work.n, us: (measured.totalMs * 1_000) / work.n }];
      });
      return { side, operation, points: points.sort((a, b) => a.n - b.n) };
    }),
  );
  return all.filter(({ points }) => points.length > 0);
}

/** A description of the lines, for those who cannot see them. */
function description(lines: readonly Line[]): string {
  const sentences = lines.map(({ side, operation, points }) => {
    const values = points.map(({ n, us }) => `${us.toFixed(0)} at ${n.toLocaleString("en")}`);
    return `${TITLES[side]}, ${operation}: ${values.join(", ")}.`;
  });
  return `Microseconds per resource, both axes logarithmic. ${sentences.join(" ")}`;
}

function drawn(lines: readonly Line[], x: Range, y: Range): string[] {
  const ends = lines.map(({ points }) => points.at(-1) ?? { n: Number.NaN, us: Number.NaN });
  const places = spread(
    ends.map(({ us }) => y.at(us)),
    { gap: LABEL_HEIGHT, from: TOP, to: HEIGHT - BOTTOM },
  );
  const beside = WIDTH - RIGHT + 24;
  return lines.map(({ side, operation, points }, index) => {
    const way = points.map(({ n, us }) => `${round(x.at(n))},${round(y.at(us))}`).join(" ");
    const end = ends[index] ?? { n: 0, us: 0 };
    const place = places[index] ?? 0;
    const lead = {
      class: "lead",
      x1: round(x.at(end.n)) + 6,
      y1: round(y.at(end.us)),
      x2: beside - 4,
      y2: round(place),
    };
    return element("g", { class: side }, [
      element("polyline", { class: "line", points: way }),
      ...points.map(({ n, us }) => element("circle", { class: "dot", cx: round(x.at(n)), cy: round(y.at(us)), r: 4 })),
      element("line", lead),
      element("text", { x: beside, y: round(place) + 5 }, [text(`${operation}, ${TITLES[side].split(" ")[0]}`)]),
    ]);
  });
}

const round = (value: number): number => Math.round(value * 10) / 10;
