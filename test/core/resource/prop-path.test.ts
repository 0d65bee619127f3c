import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changedPaths } from "../../../core/apply/index.js";
import { canonical, propPath, touches, withRecorded } from "../../../core/codec/index.js";
import type { Encoded } from "../../../core/contract/index.js";

describe("a path of props", () => {
  test.each([
    ["size", ["size"]],
    ["tags.team", ["tags", "team"]],
    ["/tags/team", ["tags", "team"]],
    ["/tags/a.b", ["tags", "a.b"]],
    ["/a~1b/c~0d", ["a/b", "c~d"]],
    ["/a~01", ["a~1"]],
    ["rules.*.port", ["rules", "*", "port"]],
    ["/", [""]],
  ])("%s leads through %j", (text, path) => {
    expect(propPath(text)).toEqual(path);
  });
});

describe("a change", () => {
  test.each([
    ["/tags/team", "tags.team", true],
    ["/tags/team/name", "tags.team", true],
    ["/tags", "tags.team", true],
    ["", "tags.team", true],
    ["/tags/teams", "tags.team", false],
    ["/tag", "tags.team", false],
    ["/rules/3/port", "rules.*.port", true],
    ["/rules/3", "rules.*.port", true],
    ["/rules/3/host", "rules.*.port", false],
    ["/anything", "*", true],
    ["/a~1b", "/a~1b", true],
  ])("at %s touches what %s leads to: %s", (pointer, text, expected) => {
    expect(touches(pointer, propPath(text))).toBe(expected);
  });
});

describe("props with the recorded values where a path leads to", () => {
  const date = { $date: "2026-01-01" };
  const rows: readonly (readonly [
    what: string,
    path: string,
    declared: Encoded,
    recorded: Encoded,
    result: Encoded,
  ])[] = [
    ["a member", "a", { a: 1, b: 1 }, { a: 0, b: 0 }, { a: 0, b: 1 }],
    ["a member that was dropped", "a", { b: 1 }, { a: 0, b: 0 }, { a: 0, b: 1 }],
    ["a member that was added", "a", { a: 1, b: 1 }, { b: 0 }, { b: 1 }],
    ["a member that is declared as undefined", "a", { a: { $undefined: true } }, { a: 0 }, { a: 0 }],
    ["a member that neither has", "a", { b: 1 }, { b: 0 }, { b: 1 }],
    ["a nested member", "t.a", { t: { a: 1, b: 1 } }, { t: { a: 0, b: 0 } }, { t: { a: 0, b: 1 } }],
    ["a nested member, by pointer", "/t/a", { t: { a: 1 } }, { t: { a: 0 } }, { t: { a: 0 } }],
    ["a nested member whose holder was dropped", "t.a", {}, { t: { a: 0, b: 0 } }, { t: { a: 0 } }],
    ["a nested member whose holder was added", "t.a", { t: { a: 1, b: 1 } }, {}, { t: { b: 1 } }],
    ["a nested member whose holder is another thing now", "t.a", { t: 5 }, { t: { a: 0 } }, { t: 5 }],
    ["a nested member whose holder was another thing", "t.a", { t: { a: 1 } }, { t: 5 }, { t: {} }],
    ["nothing where neither has the holder", "t.a", { b: 1 }, { b: 0 }, { b: 1 }],
    ["all members", "*", { a: 1, b: 1 }, { a: 0, c: 0 }, { a: 0, c: 0 }],
    [
      "a member of all members",
      "*.a",
      { x: { a: 1, b: 1 }, y: { a: 1 } },
      { x: { a: 0 } },
      { x: { a: 0, b: 1 }, y: {} },
    ],
    ["an element", "l.1", { l: [1, 1] }, { l: [0, 0] }, { l: [1, 0] }],
    ["an element that was dropped stays dropped", "l.1", { l: [1] }, { l: [0, 0] }, { l: [1] }],
    ["an element that was added stays", "l.1", { l: [1, 1] }, { l: [0] }, { l: [1, 1] }],
    ["all elements, however many", "l.*", { l: [1, 1, 1] }, { l: [0] }, { l: [0] }],
    [
      "a member of all elements",
      "l.*.a",
      { l: [{ a: 1, b: 1 }, { a: 1 }] },
      { l: [{ a: 0 }] },
      { l: [{ a: 0, b: 1 }, { a: 1 }] },
    ],
    [
      "what is no plain object, as a whole",
      "d",
      { d: date },
      { d: { $date: "2025-01-01" } },
      { d: { $date: "2025-01-01" } },
    ],
    ["nothing inside of what is no plain object", "d.$date", { d: date }, { d: { $date: "2025-01-01" } }, { d: date }],
    ["a name with a dollar", "$x", { $$x: 1 }, { $$x: 0 }, { $$x: 0 }],
    [
      "the name __proto__",
      "__proto__",
      JSON.parse('{"__proto__":1}'),
      JSON.parse('{"__proto__":0}'),
      JSON.parse('{"__proto__":0}'),
    ],
    ["the name of what objects inherit", "toString", { b: 1 }, { b: 0 }, { b: 1 }],
  ];
  test.each(rows)("hold %s (%s)", (_what, path, declared, recorded, result) => {
    const given = JSON.stringify(declared);
    expect(canonical(withRecorded(declared, recorded, [propPath(path)]))).toBe(canonical(result));
    expect(JSON.stringify(declared)).toBe(given);
  });

  test("hold all of several paths", () => {
    const restored = withRecorded({ a: 1, b: 1, c: 1 }, { a: 0, b: 0, c: 0 }, [["a"], ["c"]]);
    expect(restored).toEqual({ a: 0, b: 1, c: 0 });
  });

  test("differ from the recorded ones nowhere but where no path leads, in objects of any shape", () => {
    const key = fc.constantFrom("a", "b", "c");
    const { tree } = fc.letrec<{ tree: Encoded; leaf: Encoded }>((tie) => ({
      leaf: fc.integer({ min: 0, max: 2 }),
      tree: fc.oneof({ maxDepth: 3 }, tie("leaf"), fc.dictionary(key, tie("tree"), { maxKeys: 3 })),
    }));
    const object = fc.dictionary(key, tree);
    const path = fc.array(fc.oneof(key, fc.constant("*")), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(object, object, path, (declared, recorded, at) => {
        const restored = withRecorded(declared, recorded, [at]);
        // Restoring again changes nothing, and the remaining changes are the program's own.
        expect(withRecorded(restored, recorded, [at])).toEqual(restored);
        const changes = changedPaths(recorded, restored);
        const inside = changes.filter((pointer) => touches(pointer, at) && pointer.split("/").length > at.length);
        expect(inside).toEqual([]);
        for (const pointer of changedPaths(declared, restored)) expect(touches(pointer, at)).toBe(true);
      }),
    );
  });
});
