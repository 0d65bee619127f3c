import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { retainedNames, retainName } from "../../../core/state/index.js";
import { forget } from "../../../plugins/admin/operations/records/forget.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { loadFrom } from "../../helpers/stores/journals.js";
import { recordAt, testLedgers, toolSettings } from "../../helpers/stores/ledgers.js";
import { snapshot } from "../../helpers/stores/store-contents.js";

const ledgers = testLedgers();

/** a, b that refers to a, c with a child and data, the scope s with two resources and data, and a protected one. */
async function filled(): Promise<StateStore> {
  const store = memoryStore();
  const run = await ledgers.run(store);
  const records = [
    recordAt("a"),
    recordAt("b", { refs: ["uid-a"] }),
    recordAt("c"),
    recordAt("c/child", { parent: "uid-c" }),
    recordAt("s/one"),
    recordAt("s/two", { status: "creating" }),
    recordAt("kept", { protect: true }),
  ];
  const data = (owner: string) => ({ op: "data", owner, key: "k", value: 1 }) as const;
  await run.ledger.commit(
    [...records.map((record) => ({ op: "put", record }) as const), ...["uid-c", "/s", "/c", "/"].map(data)],
    "now",
  );
  await run.close();
  return store;
}

async function left(store: StateStore) {
  const { contents, head } = await loadFrom(store);
  expect(head.open).toBeUndefined();
  return { keys: [...contents.records.values()].map(({ key }) => key).sort(), data: [...contents.data.keys()].sort() };
}

describe("what is forgotten", () => {
  test("is removed with its children and their data, and its dependents are reported", async () => {
    const store = await filled();
    const seen: unknown[] = [];
    const approve = (what: unknown) => void seen.push(what);
    const what = await forget(toolSettings(store), { patterns: ["app/dev/c", "a"], approve });
    expect(seen).toEqual([what]);
    expect(what.resources.map(({ fqn }) => fqn)).toEqual(["app/dev/c", "app/dev/c/child", "app/dev/a"]);
    expect([what.scopes, what.dependents]).toEqual([["app/dev/c"], ["app/dev/b"]]);
    expect(await left(store)).toEqual({ keys: ["b", "kept", "s/one", "s/two"], data: ["/", "/s"] });
  });

  test("is a whole scope, by its name or by a glob", async () => {
    for (const pattern of ["s", "app/dev/s/**", "**/s"]) {
      const store = await filled();
      await forget(toolSettings(store), { patterns: [pattern] });
      expect((await left(store)).keys, pattern).toEqual(["a", "b", "c", "c/child", "kept"]);
    }
  });

  test("is an old copy, and what replaced it replaces nothing any more", async () => {
    const store = memoryStore();
    const run = await ledgers.run(store);
    const [old, now] = [recordAt("x", { uid: "old", replaced: true }), recordAt("y", { replaces: "old" })];
    await run.ledger.commit(
      [old, now].map((record) => ({ op: "put", record }) as const),
      "now",
    );
    await run.close();
    await forget(toolSettings(store), { patterns: ["x"] });
    expect((await loadFrom(store)).contents.at("y")?.replaces).toBeUndefined();
  });
});

describe("nothing is forgotten", () => {
  test("where one of it is protected, unless it is forced", async () => {
    const store = await filled();
    const before = await snapshot(store);
    const [code, message] = await rejectedCode(forget(toolSettings(store), { patterns: ["*"] }));
    expect([code, message]).toEqual(["PROTECTED", expect.stringContaining('"app/dev/kept"')]);
    expect(await snapshot(store)).toEqual(before);
    await forget(toolSettings(store), { patterns: ["**"], force: true });
    expect(await left(store)).toEqual({ keys: [], data: ["/"] });
  });

  test("where a pattern matches nothing, whatever the others do", async () => {
    const store = await filled();
    const before = await snapshot(store);
    for (const pattern of ["app/prod/a", "nothing/here", "app/dev/kepd"]) {
      expect((await rejectedCode(forget(toolSettings(store), { patterns: ["a", pattern] })))[0]).toBe("NOT_RECORDED");
    }
    expect(await snapshot(store)).toEqual(before);
  });

  test("if the user says no, or another run was faster", async () => {
    const store = await filled();
    const before = await snapshot(store);
    const refusing = forget(toolSettings(store), { patterns: ["a"], approve: () => Promise.reject(new Error("no")) });
    await expect(refusing).rejects.toThrow("no");
    expect(await snapshot(store)).toEqual(before);
    const approve = async () => {
      const run = await ledgers.run(store);
      await run.put("new");
      await run.close();
    };
    expect((await rejectedCode(forget(toolSettings(store), { patterns: ["a"], approve })))[0]).toBe("STATE_MOVED");
    expect((await left(store)).keys).toContain("a");
  });
});

describe("names of retained resources", () => {
  async function retaining(): Promise<StateStore> {
    const store = await filled();
    const run = await ledgers.run(store);
    const names = [retainName(recordAt("a"), "2026-01-01T00:00:00.000Z"), retainName(recordAt("s/one"), "2026")];
    await run.ledger.commit(names, "now");
    await run.close();
    return store;
  }

  test("are forgotten by themselves: the record under that id stays", async () => {
    const store = await retaining();
    const what = await forget(toolSettings(store), { patterns: ["a"], retained: true });
    expect(what).toEqual({
      resources: [],
      copies: [],
      scopes: [],
      dependents: [],
      retained: [{ fqn: "app/dev/a", kind: recordAt("a").kind, name: recordAt("a").physicalName }],
    });
    const { contents } = await loadFrom(store);
    expect(contents.at("a")).toBeDefined();
    expect(retainedNames(contents).map(({ key }) => key)).toEqual(["s/one"]);
  });

  test("stay where only records are forgotten", async () => {
    const store = await retaining();
    await forget(toolSettings(store), { patterns: ["a", "s"] });
    expect(retainedNames((await loadFrom(store)).contents).length).toBe(2);
  });

  test("are not there under a name that nothing was retained under", async () => {
    const [code, message] = await rejectedCode(
      forget(toolSettings(await retaining()), { patterns: ["c"], retained: true }),
    );
    expect([code, message]).toEqual(["NOT_RECORDED", expect.stringContaining('"app/dev/a", "app/dev/s/one"')]);
  });
});
