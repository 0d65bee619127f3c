import { describe, expect, test } from "vitest";
import { visible, visibleLines } from "../../../plugins/ui/page/parts/visible.js";
import { fragmentOf, type Route, routeOf } from "../../../plugins/ui/page/router.js";
import { extendScopes, noScopes, treeItems } from "../../../plugins/ui/page/stage/scopes.js";
import { cases, fc } from "../../helpers/checks/generated.js";

const name = fc.string({ minLength: 1, unit: "grapheme" });
const stage = { app: name, stage: name };
const route: fc.Arbitrary<Route> = fc.oneof(
  fc.constantFrom<Route>({ page: "stages" }, { page: "runs" }),
  fc.record({
    page: fc.constant("stage" as const),
    ...stage,
    tab: fc.constantFrom("resources", "history", "drift", "runs"),
  }),
  fc.record({ page: fc.constant("difference" as const), ...stage, from: fc.nat(), to: fc.nat() }),
  fc.record({
    page: fc.constant("resource" as const),
    ...stage,
    fqn: name,
    tab: fc.constantFrom("values", "graph", "history"),
  }),
  fc.record({
    page: fc.constant("run" as const),
    run: name,
    tab: fc.constantFrom(undefined, "progress", "plan", "log"),
  }),
  fc.record({
    page: fc.constant("run" as const),
    run: name,
    tab: fc.constantFrom("progress", "plan", "log"),
    row: name,
  }),
);

describe("an address of the page", () => {
  test("leads back to the view that it was made of", () => {
    fc.assert(
      fc.property(route, (one) => {
        expect(routeOf(fragmentOf(one))).toEqual(one);
      }),
      { numRuns: cases(300) },
    );
  });

  test("of any kind leads somewhere", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(routeOf(`#/${text}`).page).toBeTypeOf("string");
      }),
      { numRuns: cases(300) },
    );
  });
});

describe("a text of others", () => {
  test.each([
    ["a\u0000b\u001b[31m", "a␀b␛[31m"],
    ["a\nb\tc", "a␊b␉c"],
    ["exe\u202egnp", "exe\\u202egnp"],
    ["a\u200bb\ufeff\u00ad", "a\\u200bb\\ufeff\\u00ad"],
    ["\ud800x\u{e0041}", "\\ud800x\\u{e0041}"],
    ["Ünïcödé 日本 🚀", "Ünïcödé 日本 🚀"],
  ])("shows what cannot be seen: %j", (text, shown) => expect(visible(text)).toBe(shown));

  test("of several lines keeps its lines", () => {
    expect(visibleLines("a\n\tb\r\u202e")).toBe("a\n\tb␍\\u202e");
  });
});

describe("scopes of a stage", () => {
  const segment = fc.constantFrom("a", "b", "ab", "c");
  const byName = (one: string, other: string): number =>
    one.replaceAll("/", "\0") < other.replaceAll("/", "\0") ? -1 : 1;
  const paths = fc
    .uniqueArray(
      fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/")),
      { maxLength: 40 },
    )
    .map((all) => all.sort(byName));

  test("are found the same in ranges as at once, each with the rows that are in it", () => {
    fc.assert(
      fc.property(paths, fc.nat(40), (all, cut) => {
        const scopes = extendScopes(extendScopes(noScopes(), all.slice(0, cut)), all);
        expect(scopes).toEqual(extendScopes(noScopes(), all));
        for (const { path, first, end } of scopes.all) {
          const inside = all.flatMap((one, index) => (one.startsWith(`${path}/`) ? [index] : []));
          expect([inside[0], (inside.at(-1) ?? 0) + 1, inside.length]).toEqual([first, end, end - first]);
        }
        const open = treeItems(scopes, all.length, () => true);
        expect(open.map(({ id }) => id)).toEqual(["", ...scopes.all.map(({ path }) => path)]);
      }),
      { numRuns: cases(200) },
    );
  });
});
