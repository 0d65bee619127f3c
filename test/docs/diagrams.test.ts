/** The diagrams: drawn from their sources, legible, and each on a page that explains it. */
import { expect, test } from "vitest";
import { drawn, names } from "../../docs/diagrams/kit/make.js";
import { dark, light, PAIRS } from "../../docs/diagrams/kit/palette.js";
import { read } from "../house/project.ts";
import { pages } from "./pages.ts";

/** Contrast as WCAG defines it. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.each(names)("%s.svg is the drawing of its source", async (name) => {
  expect(read(`docs/diagrams/${name}.svg`)).toBe(await drawn(name));
});

test.each(names)("%s is on a page, with a text for those who do not see it", (name) => {
  const found = pages.flatMap((page) => [...read(page).matchAll(/!\[([^\]]*)\]\(([^)]*)\)/g)]);
  const [, text = ""] = found.find(([, , path]) => path?.endsWith(`diagrams/${name}.svg`)) ?? [];
  expect(text.length).toBeGreaterThan(60);
});

test.each([
  { scheme: "light", colors: light },
  { scheme: "dark", colors: dark },
])("their texts are legible on $scheme grounds", ({ colors }) => {
  const faint = PAIRS.filter(([text, ground]) => contrast(colors[text], colors[ground]) < 4.5);
  expect(faint).toEqual([]);
});
