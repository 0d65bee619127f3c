import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../house/project.ts";
import { describeUnless } from "../servers/given.ts";
import { lacksSite } from "./site-server.ts";

const folder = join(root, "docs/site");

describeUnless(lacksSite, "the built site", () => {
  test("has no link that leads nowhere", () => {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));
    const texts = new Map(files.map((name) => [join(folder, name), readFileSync(join(folder, name), "utf8")]));
    const idsOf = (text: string) => new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const ids = new Map([...texts].map(([file, text]) => [file, idsOf(text)]));
    const dead = [...texts].flatMap(([file, text]) =>
      [...text.matchAll(/<a [^>]*?href="([^":]*)"/g)].flatMap(([, href = ""]) => {
        const [path = "", anchor = ""] = href.split("#", 2);
        const target = path === "" ? file : join(dirname(file), decodeURI(path));
        const leads = ids.get(target)?.has(decodeURIComponent(anchor)) ?? false;
        return leads || (anchor === "" && existsSync(target)) ? [] : [`${file.slice(folder.length)}: ${href}`];
      }),
    );
    expect(texts.size).toBeGreaterThan(100);
    expect([...new Set(dead)]).toEqual([]);
  });
});
