import { describe, expect, test } from "vitest";
import { adoptHint } from "../../../core/handler/index.js";
import { createTestApp } from "../../../plugins/testing/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { shelf } from "../../helpers/stores/shelf.js";

const named = (name: string) => Object.assign(new Error("the name is in use"), { name });

describe("the hint to adopt", () => {
  test.each([
    ["the code EEXIST", Object.assign(new Error("no"), { code: "EEXIST" })],
    ["the name EntityAlreadyExists", named("EntityAlreadyExists")],
    ["the name BucketAlreadyOwnedByYou", named("BucketAlreadyOwnedByYou")],
    ["the status 409", Object.assign(new Error("conflict"), { status: 409 })],
    ["the status code 409", Object.assign(new Error("conflict"), { statusCode: 409 })],
    ["the words", new Error("the queue already exists")],
  ])("is given for an error with %s", (_what, error) => {
    expect(adoptHint(error)).toContain("{ adopt: true }");
  });

  test.each([
    ["another error", new Error("the disk is full")],
    ["another status", Object.assign(new Error("gone"), { status: 404 })],
    ["something that is no error", "no"],
    ["nothing at all", undefined],
  ])("is not given for %s", (_what, error) => {
    expect(adoptHint(error)).toBe("");
  });

  test("ends the message of a create that met what is there, where a read could find it", async () => {
    const { Item, there } = shelf();
    there.set("n", "theirs");
    const [error] = await new Stage().failures(() => Item("a", { name: "n", text: "ours" }));
    expect(error).toMatchObject({
      message:
        'create of "app/dev/a" failed: n is taken. If it is to be taken over, declare it with { adopt: true }, or pass --adopt.',
    });
  });

  test("is not given for a type without read, nor where adopt was on", async () => {
    const blind = shelf({ read: false });
    const seeing = shelf();
    blind.there.set("n", "theirs");
    seeing.on("create", () => void seeing.there.set("n", "of somebody quicker"));
    const stage = new Stage();
    const failures = await stage.failures(async () => {
      blind.Item("a", { name: "n", text: "ours" });
      seeing.Item("b", { name: "n", text: "ours" }, { adopt: true });
    });
    expect(failures.map(String)).toEqual([expect.stringMatching(/n is taken$/), expect.stringMatching(/n is taken$/)]);
  });
});

test.each([{ update: true }, { update: false }])(
  "a run that is killed when it has adopted converges in the next up (update: $update)",
  async ({ update }) => {
    const { Item, there } = shelf({ update });
    there.set("n", "theirs");
    await using app = await createTestApp();
    const declare = () => Item("a", { name: "n", text: "ours" }, { adopt: true });
    app.faults.kill(Item.kind, "update");
    await expect(app.run(declare)).rejects.toMatchObject({ code: "ABORTED" });
    await app.run(declare);
    expect(app.actions).toEqual(["adopted a"]);
    expect(there).toEqual(new Map([["n", update ? "ours" : "theirs"]]));
    await app.run(declare);
    expect(app.actions).toEqual(["skipped a"]);
  },
);
