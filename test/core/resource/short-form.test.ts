/** A resource type as one function: it gets its phase, and deletes only if it calls destroy(). */
import { runInThisContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";

describe("Resource(kind, function)", () => {
  it.each([
    ["(_id, { text }) => ({ text })"],
    ["async (_id) => ({ made: 1 })"],
    ["async a=>({a})"],
    ["async({a},b)=>a"],
    ["$éa=>1"],
  ])("refuses an arrow function: %s", (text) => {
    const refused = expect.objectContaining({
      code: "INVALID_DEFINITION",
      message: expect.stringContaining("was given an arrow function"),
    });
    const arrow = ["test:Arrow", runInThisContext(text)];
    expect(() => Reflect.apply(Resource, undefined, arrow)).toThrow(refused);
  });

  it("says where options belong that are given before or behind the handlers", () => {
    const handlers = { create: () => ({}) };
    for (const given of [
      [{ alwaysUpdate: true }, () => ({})],
      [handlers, { alwaysUpdate: true }],
    ]) {
      expect(() => Reflect.apply(Resource, undefined, ["test:Optioned", ...given])).toThrow(
        expect.objectContaining({
          code: "INVALID_DEFINITION",
          message: expect.stringContaining('Type("id", props, { alwaysUpdate: true })'),
        }),
      );
    }
  });

  it.each([
    ["(async function () {})"],
    ["(function (id = () => 1) { return id; })"],
    ["(function*(a) { yield (b) => a; })"],
    ["({ async handle() {} }).handle"],
    ["({ ['a => b']() {} })['a => b']"],
    ["(function () {}).bind({})"],
  ])("takes any function that can have a `this`: %s", (text) => {
    Reflect.apply(Resource, undefined, [`test:Function ${text}`, runInThisContext(text)]);
  });
});

describe("a delete of the short form", () => {
  /** A type that checks its phase only for the id "wise". */
  const setUpForm = () => {
    const calls: string[] = [];
    const stage = new Stage();
    const Thing = Resource<{ id: string }, object>(newKind(), function (id) {
      calls.push(`${this.phase} ${id}`);
      if (id === "wise" && this.phase === "delete") this.destroy();
      return { id };
    });
    return { calls, stage, Thing };
  };

  it("that ran its create instead has not deleted: an error says so, and the record is kept", async () => {
    const { stage, Thing, calls } = setUpForm();
    await stage.up(() => Promise.all([Thing("wise"), Thing("deaf")]));
    const message = expect.stringContaining(
      "without calling this.destroy(), so the resource was not deleted and its record stays",
    );
    expect(await stage.failures(() => {})).toMatchObject([{ code: "NOT_DELETED", fqn: "app/dev/deaf", message }]);
    expect(calls.slice(2).sort()).toEqual(["delete deaf", "delete wise"]);
    expect(stage.summary).toMatchObject({ deleted: 1, failed: 1 });
    const app = await stage.open({ phase: "read" });
    expect(recordsOf(app)).toMatchObject([{ key: "deaf", status: "ready", output: { id: "deaf" } }]);
    await app.finalize();
  });

  it("that has not deleted is not called again by `retry`, which would change nothing", async () => {
    const { stage, Thing, calls } = setUpForm();
    const destroyed = stage.failures(() => stage.engine.destroy(Thing("deaf", {}, { retry: 3 })));
    expect(await destroyed).toMatchObject([{ code: "NOT_DELETED" }]);
    expect(calls).toEqual(["create deaf", "delete deaf"]);
  });

  it("is not asked where the thing is to stay", async () => {
    const { stage, Thing, calls } = setUpForm();
    await stage.up(() => Thing("deaf", {}, { retainOnDelete: true }));
    expect(recordsOf(await stage.up())).toEqual([]);
    expect(calls).toEqual(["create deaf"]);
  });
});
