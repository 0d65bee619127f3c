/**
 * Pictures of the page for the guide: `tsx test/plugins/ui/page/pictures.ts` recreates those in `docs/screens`. Data
 * and time are the same each time; the font is that of the site.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { openBrowser } from "../../../docs/browser.js";
import { root } from "../../../house/project.js";
import { builtPage } from "./built.js";
import { serveFixture } from "./server.js";
import { NOW } from "./stages.js";
import { show, viewNamed } from "./views.js";

interface Picture {
  /** Name of the file, and of the view. */
  readonly name: string;
  readonly colors: "dark" | "light";
  readonly width?: number;
  readonly height?: number;
}

const pictures: readonly Picture[] = [
  { name: "stages", colors: "light", height: 560 },
  { name: "fleet", colors: "light", height: 1_200 },
  { name: "stage", colors: "light" },
  { name: "run", colors: "light" },
  { name: "run", colors: "dark" },
  { name: "live", colors: "dark" },
  { name: "plan", colors: "light" },
  { name: "resource", colors: "light" },
  { name: "graph", colors: "light" },
  { name: "values", colors: "light", height: 640 },
  { name: "history", colors: "light", height: 640 },
  { name: "difference", colors: "light", height: 760 },
  { name: "drift", colors: "light", height: 480 },
  { name: "runs", colors: "dark", height: 530 },
  { name: "run", colors: "light", width: 390, height: 844 },
];

const FONTS = [
  ["Hanken Grotesk", "hanken-grotesk"],
  ["JetBrains Mono", "jetbrains-mono"],
] as const;

async function faces(): Promise<string> {
  const all = FONTS.map(async ([name, file]) => {
    const font = await readFile(join(root, `docs/theme/assets/fonts/${file}.woff2`), "base64");
    return `@font-face{font-family:"${name}";font-weight:100 900;src:url(data:font/woff2;base64,${font})}`;
  });
  return (await Promise.all(all)).join("");
}

async function take(browser: Browser, url: string, css: string, picture: Picture): Promise<void> {
  const { name, colors, width = 1280, height = 800 } = picture;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: colors,
    reducedMotion: "reduce",
    timezoneId: "UTC",
    // The page's policy blocks the font.
    bypassCSP: true,
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(NOW);
  await page.goto(url);
  await page.addStyleTag({ content: css });
  await show(page, viewNamed(name));
  await page.evaluate(
    "document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))",
  );
  const file = [name, colors, ...(width < 720 ? ["phone"] : [])].join("-");
  await writeFile(join(root, `docs/screens/ui-${file}.png`), await page.screenshot());
  await context.close();
}

const [browser, server, css] = await Promise.all([
  openBrowser(),
  builtPage().then((page) => serveFixture(page)),
  faces(),
]);
await mkdir(join(root, "docs/screens"), { recursive: true });
for (const picture of pictures) await take(browser, server.url, css, picture);
await browser.close();
await server.close();
