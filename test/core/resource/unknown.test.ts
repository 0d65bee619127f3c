import { format } from "node:util";
import { describe, expect, it } from "vitest";
import { unknownValue, withoutMarkers } from "../../../core/base/index.js";
import { costRatio } from "../../helpers/checks/cost.js";

/** As a program gets it: typed as the output that it stands for. */
function unknownSite(): {
  readonly port: number;
  readonly tags: readonly string[];
  readonly nested: { readonly url: string };
} {
  return Object(unknownValue("shop/dev/site"));
}

const added = (one: string, other: string): string => one + other;

const refused = (what: string) =>
  expect.objectContaining({ code: "UNKNOWN_VALUE", message: expect.stringContaining(what) });

describe("an unknown value", () => {
  it("has unknown members at any depth, which know where they are from", () => {
    expect(() => Number(unknownSite().nested.url)).toThrow(refused("shop/dev/site.nested.url is not known yet"));
  });

  it("can be awaited", async () => {
    const site = unknownSite();
    expect(await Promise.resolve(site)).toBe(site);
  });

  it.each<[string, (site: ReturnType<typeof unknownSite>) => string]>([
    ["a template string", (site) => `${site.nested.url}`],
    ["a concatenation", (site) => "".concat(site.nested.url)],
    ["JSON", (site) => JSON.parse(JSON.stringify({ url: site.nested.url })).url],
    ["String()", (site) => String(site.nested.url)],
  ])("leaves a marker of lower-case letters and digits in %s", (_where, use) => {
    const marker = use(unknownSite());
    expect(marker).toMatch(/^unknownx[0-9a-f]+z$/);
    const name = Buffer.from(marker.slice("unknownx".length, -1), "hex").toString();
    expect(name).toBe("shop/dev/site.nested.url");
  });

  it("prints where it is from, and the members that are known, instead of a marker", () => {
    expect(format(unknownSite().nested.url)).toBe("shop/dev/site.nested.url (known after apply)");
    expect(format({ url: unknownSite().nested.url }, [unknownSite().port])).not.toContain("unknownx");
    expect(format(unknownValue("shop/dev/net", { name: "main" }))).toBe(
      "{ name: 'main', '…': 'shop/dev/net (known after apply)' }",
    );
  });

  it("leaves a marker that survives URLs and paths", () => {
    const marker = `${unknownSite().nested.url}`;
    expect(new URL(`https://${marker}.example.com/${marker}`).href).toBe(`https://${marker}.example.com/${marker}`);
  });

  it("can be spread", () => {
    expect(Object.keys({ ...unknownSite().nested })).toHaveLength(1);
  });

  it.each<[string, (site: ReturnType<typeof unknownSite>) => unknown]>([
    ["used as a number", (site) => site.port * 2],
    ["used as a number", (site) => site.port > 80],
    ["iterated over", (site) => [...site.tags]],
    ["searched with `in`", (site) => "port" in site],
    ["called", (site) => Reflect.apply(Object(site.tags), undefined, [])],
    ["changed", (site) => Reflect.set(site, "port", 80)],
    ["changed", (site) => Reflect.deleteProperty(site, "port")],
    ["changed", (site) => Reflect.defineProperty(site, "port", { value: 80 })],
    ["frozen", (site) => Object.freeze(site)],
  ])("refuses to be %s", (how, use) => {
    expect(() => use(unknownSite())).toThrow(refused(`so it cannot be ${how}`));
  });

  it("says where the program has used it, also by way of the language", () => {
    const uses = [
      () => unknownSite().port * 2,
      () => Math.max(1, unknownSite().port),
      () => new Set(unknownSite().tags),
      () => Reflect.has(unknownSite(), "port"),
      () => Reflect.set(unknownSite(), "port", 1),
    ];
    for (const use of uses) expect(use).toThrow(refused(": at "));
    for (const use of uses) expect(use).toThrow(/unknown\.test\.ts:\d+:\d+\)?\. Pass it on unchanged, or .*`outputs`/);
  });

  it.each<[string, (site: ReturnType<typeof unknownSite>) => unknown, string]>([
    ["a sum", (site) => site.port + 1, "?"],
    ["a sum the other way round", (site) => 1.5 + site.port, "?"],
    ["a sum of several", (site) => 10 + site.port + site.port + 2, "?"],
    ["a sum within a text", (site) => `http://x:${site.port + 1}/y`, "http://x:?/y"],
    ["a text", (site) => added(added("db://", site.nested.url), "/x-1"), "db://?/x-1"],
    ["a text that ends in a number", (site) => `${site.nested.url}1`, "?1"],
  ])("leaves where `+` was used no number that may have been a summand: %s", (_what, use, shown) => {
    expect(withoutMarkers(String(use(unknownSite())), () => "?")).toBe(shown);
  });

  it("is found in a long text of digits in a time that grows as its length does", async () => {
    const { port } = unknownSite();
    const textOf = (length: number): string => `${"7".repeat(length)} ${port}`;
    const [short, long] = [textOf(2_500), textOf(100_000)];
    expect(withoutMarkers(long, () => "?")).toBe(`${"7".repeat(100_000)} ?`);
    // 40 times the length: quadratic time would be 1,600 times as long.
    expect(
      await costRatio(
        () => withoutMarkers(long, () => "?"),
        () => withoutMarkers(short, () => "?"),
      ),
    ).toBeLessThan(300);
  });
});
