/** A film as one SVG that plays by itself, without a script: as good on a light page as on a dark one. */
import { type Attributes, element, text } from "../bench/svg.ts";
import { Clip } from "./clip.ts";
import type { Cells, Film, PlacedRow, Span } from "./film.ts";
import { type Row, type Run, textOf } from "./screen.ts";

interface Size {
  readonly columns: number;
  readonly rows: number;
}

const CELL = { width: 9, height: 21, baseline: 15.5 } as const;
const BAR = 40;
const MARGIN = 18;

const COLOURS = {
  window: "#12161d",
  bar: "#1c222b",
  edge: "#39424e",
  text: "#e3e8ee",
  caption: "#bcc5cf",
  progress: "#79b8ff",
} as const;

/** What programs colour their texts with. */
const INKS: Readonly<Record<string, string>> = {
  dim: "#96a0ac",
  red: "#ff8078",
  green: "#56d364",
  yellow: "#e3b341",
  blue: "#79b8ff",
  magenta: "#d2a8ff",
  cyan: "#56d4dd",
};
const LOOKS = ["bold", ...Object.keys(INKS)];

const FONT = 'ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace';

export interface Words {
  readonly title: string;
  /** All that is to be read, for those who do not see it. */
  readonly description: string;
}

export function pictureOf(film: Film, { columns, rows }: Size, { title, description }: Words): string {
  const inner = { width: columns * CELL.width, height: rows * CELL.height };
  const width = inner.width + 2 * MARGIN;
  const height = inner.height + BAR + 2 * MARGIN - 4;
  const clip = new Clip(film.duration);
  const shown = [
    ...clip.groups(film.rows, rowElement),
    ...film.typings.map((typing) => coverElement(typing, clip)),
    ...clip.groups(film.cursors, cursorElement),
  ];
  const captions = clip.groups(film.captions, (caption) =>
    element("text", { x: width / 2, y: 25.5, class: "caption", "text-anchor": "middle" }, [text(caption)]),
  );
  const progress = { class: "progress", y: height - 3, width, height: 3 };
  return `${element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-labelledby": "title desc",
    },
    [
      element("title", { id: "title" }, [text(title)]),
      element("desc", { id: "desc" }, [text(description)]),
      `<style>${styleOf(clip)}</style>`,
      ...windowElements(width, height),
      ...captions,
      element("svg", { x: MARGIN, y: BAR + MARGIN - 6, ...inner, "xml:space": "preserve" }, shown),
      element("g", { "clip-path": "url(#window)" }, [element("rect", progress)]),
    ],
  )}\n`;
}

function windowElements(width: number, height: number): readonly string[] {
  const outline = { x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 10 };
  return [
    element("clipPath", { id: "window" }, [element("rect", outline)]),
    element("rect", { ...outline, fill: COLOURS.window }),
    element("path", {
      d: `M0.5 ${BAR}V10.5a10 10 0 0 1 10-10H${width - 10.5}a10 10 0 0 1 10 10V${BAR}z`,
      fill: COLOURS.bar,
    }),
    element("rect", { ...outline, fill: "none", stroke: COLOURS.edge }),
    ...["#ff5f57", "#febc2e", "#28c840"].map((fill, index) =>
      element("circle", { cx: 21 + index * 20, cy: BAR / 2, r: 6, fill }),
    ),
  ];
}

function rowElement({ y, row }: PlacedRow): string {
  const whole = textOf(row);
  const indent = whole.length - whole.trimStart().length;
  const length = whole.length - indent;
  const attributes = { x: indent * CELL.width, y: y * CELL.height + CELL.baseline, textLength: length * CELL.width };
  return element("text", attributes, [runElements(row, indent)]);
}

function runElements([first, ...rest]: Row, indent: number): string {
  if (!first) return "";
  if (first.text.length <= indent) return runElements(rest, indent - first.text.length);
  return [{ ...first, text: first.text.slice(indent) }, ...rest].map(runElement).join("");
}

function runElement({ text: content, look }: Run): string {
  if (look === "") return text(content);
  const unknown = look.split(" ").find((part) => !LOOKS.includes(part));
  if (unknown !== undefined) throw new Error(`The picture has no look for ${unknown}, of "${content}".`);
  return element("tspan", { class: look }, [text(content)]);
}

function cursorElement({ y, column }: Cells): string {
  return element("rect", { class: "cursor", ...placeOf(y, column), width: CELL.width });
}

/** Hides what has not been typed yet, and draws back letter by letter, the cursor at its edge. */
function coverElement({ of: { y, column, length }, from, to }: Span<Cells>, clip: Clip): string {
  const place = placeOf(y, column);
  const cover = element("rect", { ...place, width: (length + 1) * CELL.width, fill: COLOURS.window });
  const cursor = element("rect", { class: "cursor", ...place, width: CELL.width });
  const drawn = element("g", { class: clip.moving(from, to, length * CELL.width, length) }, [cover, cursor]);
  return element("g", { class: clip.seen(from, to) }, [drawn]);
}

function placeOf(y: number, column: number): Attributes {
  return { x: column * CELL.width, y: y * CELL.height, height: CELL.height };
}

/** Without motion, or where a program shows no animations at all: the last screen. */
function styleOf(clip: Clip): string {
  const { text, caption, progress } = COLOURS;
  return [
    `text{font:15px ${FONT};fill:${text};white-space:pre}`,
    ...Object.entries(INKS).map(([name, colour]) => `.${name}{fill:${colour}}`),
    ".bold{font-weight:bold}",
    `.caption{font:600 14px system-ui,-apple-system,"Segoe UI",sans-serif;fill:${caption}}`,
    `.cursor{fill:${text}}.progress{fill:${progress};transform:scaleX(0)}.gone{opacity:0}`,
    `@media (prefers-reduced-motion:no-preference){`,
    clip.css,
    "}",
  ].join("\n");
}
