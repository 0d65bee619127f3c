/** Draws screens of a terminal as one SVG picture, which plays by itself without a script. */
import type { IBufferCell, IBufferLine } from "@xterm/headless";

export const SIZE = { columns: 64, rows: 25 };
const CELL = { width: 9, height: 21, baseline: 15.5 };
const [MARGIN, BAR] = [18, 40];
const INKS = { dim: "#96a0ac", red: "#ff8078", green: "#56d364", yellow: "#e3b341", blue: "#79b8ff", cyan: "#56d4dd" };
const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan"];
const FONT = 'ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace';

/** The first loop begins at the screen with this text, so that a page shows results at once. */
const FIRST = /up done in .*: 4 created/;

/** A screen, as the markup of its rows, and the time when it was shown. */
export interface Shot {
  readonly caption: string;
  readonly rows: readonly string[];
  readonly milliseconds: number;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

function classOf(cell: IBufferCell): string {
  const colour = cell.isFgPalette() ? (COLOURS[cell.getFgColor()] ?? "") : "";
  return [cell.isBold() ? "bold" : "", cell.isDim() ? "dim" : "", colour].filter(Boolean).join(" ");
}

/** Adjacent cells of a row that look the same, as one element. */
export function markupOf(line: IBufferLine | undefined, y: number): string {
  const runs: { look: string; text: string }[] = [];
  const text = line?.translateToString(true).trimEnd() ?? "";
  const indent = text.search(/\S|$/);
  for (let x = indent; x < text.length; x++) {
    const cell = line?.getCell(x);
    const look = cell ? classOf(cell) : "";
    const last = runs.at(-1);
    if (last?.look === look) last.text += cell?.getChars() || " ";
    else runs.push({ look, text: cell?.getChars() || " " });
  }
  if (runs.length === 0) return "";
  const spans = runs.map(({ look, text }) =>
    look ? `<tspan class="${look}">${escaped(text)}</tspan>` : escaped(text),
  );
  const [left, length] = [indent * CELL.width, (text.length - indent) * CELL.width];
  return `<text x="${left}" y="${y * CELL.height + CELL.baseline}" textLength="${length}">${spans.join("")}</text>`;
}

/** Plays by CSS: each part of the picture is visible for some time. Without motion, the last screen stays. */
class Animation {
  readonly #total: number;
  readonly #start: number;
  readonly #names = new Map<string, string>();

  /** @param start milliseconds after which the first loop begins */
  constructor(total: number, start: number) {
    this.#total = total;
    this.#start = start;
  }

  /** Contents of one kind in the shots, each for as long as it stays the same. */
  partsOf(shots: readonly Shot[], contentOf: (shot: Shot) => string): string[] {
    const groups = new Map<string, string>();
    let [at, from] = [0, 0];
    for (const [index, shot] of shots.entries()) {
      at += shot.milliseconds;
      const content = contentOf(shot);
      const next = shots[index + 1];
      if (next && contentOf(next) === content) continue;
      const name = this.#seen(from, at);
      if (content !== "") groups.set(name, (groups.get(name) ?? "") + content);
      from = at;
    }
    return [...groups].map(([name, content]) => `<g class="${name}">${content}</g>`);
  }

  #seen(from: number, to: number): string {
    const percent = (time: number): string => `${Math.round((time / this.#total) * 10_000) / 100}%`;
    const end = to < this.#total ? `${percent(to)}{opacity:0}` : "";
    const frames = `${from > 0 ? "0%{opacity:0}" : ""}${percent(from)}{opacity:1}${end}`;
    const name = this.#names.get(frames) ?? `s${this.#names.size}`;
    this.#names.set(frames, name);
    return end === "" ? name : `${name} gone`;
  }

  get css(): string {
    const seconds = `${this.#total / 1000}s -${this.#start / 1000}s`;
    const rules = [...this.#names].map(
      ([frames, name]) => `@keyframes ${name}{${frames}}.${name}{animation:${name} ${seconds} step-end infinite}`,
    );
    return `${rules.join("\n")}\n@keyframes progress{to{transform:none}}.progress{animation:progress ${seconds} linear infinite}`;
  }
}

/** True for a screen with at most a prompt and a command without output. */
const isCleared = (shot: Shot | undefined): boolean => shot?.rows.slice(1).every((row) => row === "") ?? true;

/** The whole text, for those who cannot see it: each screen before it is cleared. */
function descriptionOf(shots: readonly Shot[]): string {
  const textOf = (row: string): string =>
    row.replace(/<text x="(\d+)"/, (tag, x) => " ".repeat(Number(x) / CELL.width) + tag).replaceAll(/<[^>]+>/g, "");
  return shots
    .filter((shot, index) => !isCleared(shot) && isCleared(shots[index + 1]))
    .map(({ rows }) =>
      rows
        .map(textOf)
        .join("\n")
        .replace(/\s+(~\/shop \$)?\s*$/, ""),
    )
    .join("\n");
}

export function pictureOf(all: readonly Shot[]): string {
  // An empty terminal shows nothing to a reader who looks at that moment.
  const shots = all.filter((shot) => !isCleared(shot));
  const [width, height] = [SIZE.columns * CELL.width + 2 * MARGIN, SIZE.rows * CELL.height + BAR + 2 * MARGIN - 4];
  const lengthOf = (some: readonly Shot[]): number =>
    some.reduce((sum, { milliseconds }) => sum + Math.round(milliseconds), 0);
  const first = shots.findIndex(({ rows: shown }) => FIRST.test(shown.join("\n").replaceAll(/<[^>]+>/g, "")));
  const animation = new Animation(lengthOf(shots), lengthOf(shots.slice(0, first)));
  const rows = Array.from({ length: SIZE.rows }, (_, y) =>
    animation.partsOf(shots, (shot) => shot.rows[y] ?? ""),
  ).flat();
  const captions = animation.partsOf(
    shots,
    ({ caption }) => `<text x="${width / 2}" y="25.5" class="caption" text-anchor="middle">${escaped(caption)}</text>`,
  );
  const outline = `x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"`;
  const buttons = ["#ff5f57", "#febc2e", "#28c840"].map(
    (fill, index) => `<circle cx="${21 + index * 20}" cy="${BAR / 2}" r="6" fill="${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc">
<title id="title">scope-engine in a terminal</title>
<desc id="desc">
${descriptionOf(all)}
</desc>
<style>text{font:15px ${FONT};fill:#e3e8ee;white-space:pre}.bold{font-weight:bold}.gone{opacity:0}
${Object.entries(INKS)
  .map(([name, colour]) => `.${name}{fill:${colour}}`)
  .join("")}
.caption{font:600 14px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#bcc5cf}.progress{fill:#79b8ff;transform:scaleX(0)}
@media (prefers-reduced-motion:no-preference){
${animation.css}
}</style>
<clipPath id="window"><rect ${outline}/></clipPath>
<rect ${outline} fill="#12161d"/>
<path d="M0.5 ${BAR}V10.5a10 10 0 0 1 10-10H${width - 10.5}a10 10 0 0 1 10 10V${BAR}z" fill="#1c222b"/>
<rect ${outline} fill="none" stroke="#39424e"/>
${buttons.join("")}
${captions.join("\n")}
<svg x="${MARGIN}" y="${BAR + MARGIN - 6}" width="${SIZE.columns * CELL.width}" height="${SIZE.rows * CELL.height}" xml:space="preserve">
${rows.join("\n")}
</svg>
<g clip-path="url(#window)"><rect class="progress" y="${height - 3}" width="${width}" height="3"/></g>
</svg>
`;
}
