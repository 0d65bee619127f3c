/** Diagrams as SVG: boxes, arrows, frames and texts at the places that their sources give. */
import { style } from "./palette.js";

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A text; `at` is where its first line stands. */
export function text(at, lines, { tone = "ink", align = "start", weight, mono = false, size = 14 } = {}) {
  const classes = ["t", tone, mono ? "mono" : "", weight === "bold" ? "bold" : ""].filter(Boolean).join(" ");
  const all = [lines].flat();
  const height = mono ? size - 1 : size;
  const spans = all.map(
    (line, index) => `<tspan x="${at[0]}" dy="${index === 0 ? 0 : Math.round(size * 1.35)}">${escaped(line)}</tspan>`,
  );
  return `<text class="${classes}" x="${at[0]}" y="${at[1]}" text-anchor="${align}" font-size="${height}">${spans.join("")}</text>`;
}

/** A box with a title, and lines below it, in its middle. */
export function box([x, y, width, height], title, { lines = [], tone = "plain", mono = false } = {}) {
  const middle = x + width / 2;
  const block = 16 + lines.length * 17;
  const top = y + (height - block) / 2 + 13;
  const onTone = tone === "strong" ? "on-strong" : "ink";
  const below =
    lines.length > 0
      ? text([middle, top + 18], lines, { align: "middle", tone: tone === "strong" ? "on-strong" : "soft", size: 12.5 })
      : "";
  return `<rect class="box ${tone}" x="${x}" y="${y}" width="${width}" height="${height}" rx="9"/>${text([middle, top], title, { align: "middle", weight: "bold", mono, tone: onTone })}${below}`;
}

/** A frame around others, with its name in the corner. */
export function frame([x, y, width, height], name, { tone = "thin", mono = false } = {}) {
  return `<rect class="outline ${tone}" x="${x}" y="${y}" width="${width}" height="${height}" rx="12"/>${text([x + 14, y + 22], name, { tone: "soft", weight: "bold", size: 13, mono })}`;
}

/** A line through points, with a head at its end; a label stands at `at`. */
export function arrow(points, { label, at, align = "middle", tone = "line", dashed = false, head = true } = {}) {
  const path = points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");
  const classes = `arrow ${tone}${dashed ? " dashed" : ""}`;
  const line = `<path class="${classes}" d="${path}"/>${head ? headAt(points.at(-2), points.at(-1), tone) : ""}`;
  return label
    ? line + text(at ?? middleOf(points), label, { align, tone: tone === "bad" ? "bad-text" : "soft", size: 12.5 })
    : line;
}

function headAt([fromX, fromY], [x, y], tone) {
  const angle = (Math.atan2(y - fromY, x - fromX) * 180) / Math.PI;
  return `<path class="head ${tone}" d="M0 0L-9 -4.5L-9 4.5Z" transform="translate(${x} ${y}) rotate(${Math.round(angle)})"/>`;
}

function middleOf(points) {
  const [[x1, y1], [x2, y2]] = [points[0], points.at(-1)];
  return [(x1 + x2) / 2, (y1 + y2) / 2 - 7];
}

/** A cross: here something ends. */
export function cross([x, y], size = 8) {
  return `<path class="arrow bad" d="M${x - size} ${y - size}L${x + size} ${y + size}M${x + size} ${y - size}L${x - size} ${y + size}"/>`;
}

/** The whole picture; `title` and `description` are for those who do not see it. */
export function diagram({ title, description, size: [width, height], parts }) {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" class="diagram" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`;
  return `${head}\n<desc>${escaped(description)}</desc>\n<style>${style}</style>\n${parts.flat().join("\n")}\n</svg>\n`;
}
