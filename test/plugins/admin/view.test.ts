import { describe, expect, test } from "vitest";
import { ledgerKeys } from "../../../core/state/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { recordingStore, withoutAppend } from "../../helpers/stores/store-around.js";
import { snapshot } from "../../helpers/stores/store-contents.js";
import { type Administered, administered, filled, KINDS } from "./administered.js";

const given = administered();

/** Runs in which the secret and a text of two lines change, `logo` is deleted, and `new` is created. */
async function lived(all: Administered): Promise<void> {
  const { stage, Thing } = all;
  await filled(all);
  await stage.up(async () => {
    await Thing("db", { value: { secret: new Secret("other"), note: "one\ntwo" } }, { protect: true });
    await Thing("new");
  });
  await stage.up(async () => {
    await Thing("db", { value: { secret: new Secret("other"), note: "one\n2" } }, { protect: false });
    await Thing("new");
  });
}

describe.each(KINDS)("a view of a stage in %s", (kind) => {
  test("stays as it is, and its mark tells that something was recorded since", async () => {
    const all = await given(kind);
    await filled(all);
    const before = await snapshot(all.store);
    const admin = all.admin();
    const [mark, view] = [await admin.mark(), await admin.view()];
    expect(view).toMatchObject({ app: "app", stage: "dev", run: { command: "up", summary: { created: 3 } } });
    expect(view.list()).toEqual((await admin.list()).resources);
    expect(await view.show("page")).toEqual(await admin.show("page"));
    expect(view.graph()).toEqual(await admin.graph());
    expect(await view.holder()).toBeUndefined();
    expect(await admin.mark()).toBe(mark);
    expect(await snapshot(all.store)).toEqual(before);
    const app = await all.stage.open();
    await app.run(() => all.Thing("new"));
    expect(await admin.mark()).not.toBe(mark);
    expect(view.list()).toHaveLength(3);
    expect(await (await admin.view()).holder()).toMatchObject({ pid: process.pid });
    await app.finalize({ noop: true });
  });

  test("finds texts in names, kinds and values, and none in secrets", async () => {
    const all = await given(kind);
    await lived(all);
    const view = await all.admin().view();
    expect(await view.find("DB")).toMatchObject([
      { what: "resource", fqn: "app/dev/db" },
      { what: "value", path: "/output/thing", excerpt: "db#1" },
    ]);
    expect(await view.find("one\n2")).toMatchObject([
      { what: "value", fqn: "app/dev/db", path: "/props/value/note", excerpt: "one\n2" },
      { path: "/output/value/note" },
    ]);
    expect(await view.find("other")).toEqual([]);
    expect(await view.find("thing", { most: 1 })).toHaveLength(1);
  });

  test("finds several words in any order: in names, kinds and values together", async () => {
    const all = await given(kind);
    await lived(all);
    const view = await all.admin().view();
    const kindOf = view.list()[0]?.kind ?? "";
    expect(await view.find(`${kindOf} db`)).toMatchObject([{ what: "resource", fqn: "app/dev/db" }]);
    expect(await view.find("2 note DB")).toMatchObject([
      { what: "value", fqn: "app/dev/db", path: "/props/value/note" },
      { what: "value", fqn: "app/dev/db", path: "/output/value/note" },
    ]);
    expect(await view.find("db nosuch")).toEqual([]);
    expect(await view.find("  ")).toEqual([]);
  });

  test("tells which run last changed each resource, and not for those that the oldest copy may have had", async () => {
    const all = await given(kind);
    await lived(all);
    await all.stage.up(async () => {
      await all.Thing("db", { value: { secret: new Secret("other"), note: "one\n2" } }, { protect: false });
      await all.Thing("new");
      await all.Thing("late");
    });
    const { copies, last } = await all.admin().lastChanges();
    const runOf = (name: string) => copies[last.get(`app/dev/${name}`) ?? -1]?.run?.summary;
    expect(last.size).toBe(3);
    expect(runOf("late")).toMatchObject({ created: 1, unchanged: 2 });
    expect(runOf("db")).toMatchObject({ created: 0, updated: 1 });
    expect(runOf("new")).toMatchObject({ created: 1, updated: 1 });
    const app = await all.stage.open();
    await app.run(() => all.Thing("under way"));
    const now = await all.admin().lastChanges();
    expect(now.copies[now.last.get("app/dev/under way") ?? -1]).toMatchObject({ run: undefined });
    await app.finalize({ noop: true });
  });

  test("finds the name that is meant before all that have it in theirs, however many there are", async () => {
    const all = await given(kind);
    const { stage, Thing } = all;
    await stage.up(async () => {
      await Promise.all(Array.from({ length: 120 }, (_, index) => Thing(`a-web-${index}`)));
      await stage.engine.run("web", () => Thing("cart"));
      await Thing("web-shop");
      await Thing("zone", { value: "web" });
    });
    const found = await (await all.admin().view()).find("Web");
    expect(found).toHaveLength(100);
    expect(found.slice(0, 3)).toMatchObject([
      { what: "scope", fqn: "app/dev/web" },
      { what: "resource", fqn: "app/dev/web-shop" },
      { what: "resource", fqn: "app/dev/a-web-0" },
    ]);
    const few = await (await all.admin().view()).find("web/c");
    expect(few).toMatchObject([{ what: "resource", fqn: "app/dev/web/cart" }]);
  });

  test("can be of a kept copy", async () => {
    const all = await given(kind);
    await lived(all);
    const admin = all.admin();
    const [first] = await admin.history();
    const view = await admin.view(first?.seq);
    expect(view.list().map(({ fqn }) => fqn)).toEqual(["app/dev/db", "app/dev/web/logo", "app/dev/web/page"]);
    expect(await view.holder()).toBeUndefined();
    expect((await rejectedCode(admin.view(4711)))[0]).toBe("NOT_RECORDED");
  });
});

test("a copy that another state of the same name has left is refused, and is not a value that a resource had", async () => {
  const [all, other] = [await given("memory"), await given("memory")];
  await lived(all);
  await filled(other);
  const [first] = await all.admin().history();
  const [foreign] = await other.admin().history();
  const keys = ledgerKeys("app", "dev");
  expect(foreign?.seq).toBe(first?.seq);
  await all.store.set(keys.history(first?.seq ?? 0), (await other.store.get(keys.history(first?.seq ?? 0))) ?? "");
  const admin = all.admin();
  const [, , last] = await admin.history();
  expect((await rejectedCode(admin.view(first?.seq)))[0]).toBe("STATE_IDENTITY");
  expect((await rejectedCode(admin.difference(first?.seq ?? 0, last?.seq ?? 0)))[0]).toBe("STATE_IDENTITY");
  expect((await admin.values("app/dev/db")).map(({ seq }) => seq)).not.toContain(first?.seq);
});

describe.each(KINDS)("the copies of a stage in %s tell", (kind) => {
  test("each value that a resource had, and the run that made it so", async () => {
    const all = await given(kind);
    await lived(all);
    const admin = all.admin();
    const history = await admin.history();
    const [last, second, first] = await admin.values("app/dev/db");
    expect([first, second, last].map((value) => value?.seq)).toEqual(history.map(({ seq }) => seq));
    expect(first).toMatchObject({ what: "made", run: { summary: { created: 3 } } });
    expect(first?.changes).toContainEqual({ path: "/props/value", new: "(secret)" });
    expect(second).toMatchObject({ what: "changed", run: history[1]?.run });
    expect(second?.changes).toContainEqual({
      path: "/props/value",
      old: "(secret)",
      new: { secret: "(secret)", note: "one\ntwo" },
    });
    expect(last?.changes).toContainEqual(
      expect.objectContaining({ path: "/props/value/note", lines: ["  one", "- two", "+ 2"] }),
    );
    expect(await admin.values("web/logo")).toMatchObject([{ what: "gone", seq: history[1]?.seq }, { what: "made" }]);
    expect((await rejectedCode(admin.values("none")))[0]).toBe("NOT_RECORDED");
  });

  test("what differs between two of them, the present among them", async () => {
    const all = await given(kind);
    await lived(all);
    const admin = all.admin();
    const [first, , last] = (await admin.history()).map(({ seq }) => seq);
    const difference = await admin.difference(first ?? 0, last ?? 0);
    expect(difference).toMatchObject({ from: first, to: last, left: 0 });
    expect(difference.resources.map(({ fqn, what }) => `${what} ${fqn}`)).toEqual([
      "changed app/dev/db",
      "made app/dev/new",
      "gone app/dev/web/logo",
      "gone app/dev/web/page",
    ]);
    expect(JSON.stringify(difference)).not.toMatch(/hush|other/);
    expect(await admin.difference(first ?? 0, last ?? 0, { most: 1 })).toMatchObject({ resources: [{}], left: 3 });
    expect((await admin.difference(last ?? 0, last ?? 0)).resources).toEqual([]);
  });
});

test("a mark takes a request of a store whose entries do not grow, and two of one whose do", async () => {
  const all = await given("memory");
  await filled(all);
  for (const [store, requests] of [
    [all.store, 2],
    [withoutAppend(all.store), 1],
  ] as const) {
    const recording = recordingStore(store);
    await all.admin({}, recording.store).mark();
    expect(recording.calls).toHaveLength(requests);
  }
});

test.each(["db", "app/dev/db", "site/*", "*", "s*", "**/p?ge", "app/*/site", "**"])(
  "%s selects the same resources as the target of a run and as the pattern of a state command",
  async (pattern) => {
    const all = await given("memory");
    const program = (text: string) => async () => {
      await all.Thing("db", { value: text });
      await all.Thing("dot", { value: text });
      await all.stage.engine.run("site", () =>
        Promise.all(["page", "logo"].map((id) => all.Thing(id, { value: text }))),
      );
    };
    await all.stage.up(program("one"));
    const { resources } = await all.admin().list([pattern]);
    all.stage.told.length = 0;
    await all.stage.up(program("two"), { target: [pattern] });
    const updated = all.stage.told.filter((one) => one.startsWith("updated ")).map((one) => one.split(" ")[1]);
    expect(updated.toSorted()).toEqual(resources.map(({ fqn }) => fqn.split("/").at(-1)).toSorted());
    expect(updated).not.toEqual([]);
  },
);
