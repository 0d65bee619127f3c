/** The contents of the built site's pages, read without a browser. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { HOOKS } from "../../core/contract/index.js";
import { filesBelow, read, root } from "../house/project.ts";
import { folder, lacksSite } from "./site-server.ts";

const page = (path: string): string => readFileSync(join(folder, path), "utf8");
const plain = (html: string): string => html.replaceAll(/<[^>]+>/g, "");

/** The most bytes that a reader waits for: the page with its styles, script and fonts. */
const HEAVIEST = 150_000;
const WITH_EACH_PAGE = ["site.css", "site.js", "search.js", "fonts/hanken-grotesk.woff2", "fonts/jetbrains-mono.woff2"];

const { editAddress } = await import(`${root}docs/theme/source.js`);
const { MOVED_PAGES } = await import(`${root}docs/theme/moved-pages.js`);

test("a page can be edited where the sources are: as package.json says, or the workflow that builds the site", () => {
  const env = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "acme/engine" };
  const known = JSON.parse(read("package.json")).repository !== undefined;
  expect(editAddress("docs/guide/state.md", {}) !== undefined).toBe(known);
  const address = known ? editAddress("docs/guide/state.md", {}) : editAddress("docs/guide/state.md", env);
  expect(address).toMatch(/^https:\/\/.*\/edit\/main\/docs\/guide\/state\.md$/);
});

describe.skipIf(lacksSite !== undefined)("the pages of the site", () => {
  test("are of 150 kB at most, compressed, with all that they load", ({ task }) => {
    const weigh = (path: string) => gzipSync(readFileSync(join(folder, path))).length;
    const shared = WITH_EACH_PAGE.reduce((sum, file) => sum + weigh(`assets/${file}`), 0);
    const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".html"));
    // A page that is small without compression is not compressed for the check.
    const large = pages.filter((path) => readFileSync(join(folder, path)).length > 60_000);
    const weights = ["index.html", ...large].map((path) => ({ path, weight: weigh(path) + shared }));
    task.meta.note = `heaviest ${Math.max(...weights.map(({ weight }) => weight))} bytes, of which ${shared} are shared`;
    expect(weights.filter(({ weight }) => weight > HEAVIEST)).toEqual([]);
  });

  test("forward the old address of a page, and the anchors that are others now, to sections that exist", () => {
    interface Moved {
      readonly page: string;
      readonly section: string;
      readonly renamed?: Readonly<Record<string, string>>;
    }
    const lost = Object.entries<Moved>(MOVED_PAGES).flatMap(([old, { page: target, section, renamed = {} }]) => {
      const ids = [section, ...Object.values(renamed)];
      const html = page(`guide/${target}.html`);
      const forwards = page(`guide/${old}.html`).includes(`url=${target}.html#${section}`);
      return [...(forwards ? [] : [old]), ...ids.filter((id) => !html.includes(` id="${id}"`))];
    });
    expect(lost).toEqual([]);
  });

  test("lead from each page of the guide to the one before and the one behind", () => {
    const guide = filesBelow("docs/guide", (path) => path.endsWith(".md"));
    const without = guide.filter((path) => {
      const html = page(path.replace(/^docs\/(.*)\.md$/, "$1.html"));
      return !html.includes('rel="next"') || !(html.includes('rel="prev"') || path.endsWith("getting-started.md"));
    });
    expect(without).toEqual([]);
  });

  test("mark at the top the part that they are in", () => {
    const part = (path: string) => /<nav class="links".*?aria-current="true"[^>]*>([^<]*)</s.exec(page(path))?.[1];
    const parts = {
      Reference: ["reference", "guide/options", "guide/errors", "guide/hooks", "guide/limits"],
      Guide: ["guides", "concepts", "comparison", "guide/getting-started", "guide/scopes", "guide/team-state"],
      API: ["modules", "api/variables/scope-engine.engine"],
      Changelog: ["changelog"],
    };
    for (const [name, paths] of Object.entries(parts)) {
      expect(paths.filter((path) => part(`${path}.html`) !== name)).toEqual([]);
    }
  });

  test("say where they are written, and of which version they are", () => {
    const { version } = JSON.parse(read("package.json"));
    const html = page("guide/state.html");
    expect(plain(html)).toContain(`v${version}`);
    expect(html).toContain("docs/guide/state.md");
    expect(page("api/variables/scope-engine.engine.html")).toContain("plugins/index.ts");
  });

  test("have for engine all its forms, its options with defaults, its errors, and examples", () => {
    const html = page("api/variables/scope-engine.engine.html");
    const forms = [...html.matchAll(/<h2 id="[^"]*">(engine[^<]*)</g)].map(([, name]) => name);
    const members = ["run", "up", "down", "destroy", "plan", "drift", "ref"].map((name) => `engine.${name}()`);
    expect(forms).toEqual(["engine()", ...members, "engine.env", "engine.secret"]);
    const text = plain(html);
    expect(text).toContain("concurrency?numberDefault: 64");
    expect(html).toMatch(/errors\.html#state_locked"><code>STATE_LOCKED/);
    expect(text).toContain("engine.down(");
  });

  test.each([
    ["api/functions/scope-engine_adapters_s3.s3Store.html", "requestTimeout?numberDefault: 10,000"],
    ["api/functions/scope-engine_adapters_redis.redisStore.html", "RedisStoreOptions"],
    ["api/functions/scope-engine.Resource.html", "HandlersDefinition"],
    ["api/functions/scope-engine.definePlugin.html", "EnginePlugin"],
    ["api/variables/scope-engine_resources.File.html", "FileProps"],
  ])("have in %s what is passed, errors and an example", (path, told) => {
    const html = page(path);
    const parts = [plain(html).includes(told), html.includes('<dl class="properties">'), html.includes(">Example<")];
    expect(parts).toEqual([true, true, true]);
  });

  test("list hooks in the order in which a run reaches them, with the purpose of each", () => {
    const html = page("api/interfaces/scope-engine_plugin.EngineHooks.html");
    const shown = [...html.matchAll(/<code class="name">(\w+)<\/code>/g)].map(([, name]) => name);
    expect(shown).toEqual(Object.keys(HOOKS));
    expect(plain(html)).toContain("Fill in options that were not given.");
  });

  test("group the API by purpose", () => {
    const purposes = ["Run", "Declare", "Plan", "Store", "Plugin", "Test"];
    const headings = [...page("modules.html").matchAll(/<h2 id="[^"]*">(\w+)</g)].map(([, name]) => name);
    expect(headings).toEqual([...purposes, "Entries"]);
    const entry = [...page("api/modules/scope-engine.html").matchAll(/<h2 id="[^"]*">(\w+)</g)].map(([, name]) => name);
    expect(entry).toEqual(purposes.slice(0, -1));
  });
});
