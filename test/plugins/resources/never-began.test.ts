/** Creates with an intent, whose handlers never began: objects that existed before do not belong to them. */

import { expect, test } from "vitest";
import { definePlugin } from "../../../plugins/index.js";
import { Command, File, Folder } from "../../../plugins/resources/index.js";
import { projects } from "./project.ts";

const newProject = projects();

/** Stops each create once its intent is recorded, like a kill. */
const stopping = definePlugin({
  name: "stopping",
  apply({ hooks }) {
    hooks.handler.tapPromise("stopping", async ({ phase }, next) => {
      if (phase === "create") throw new Error("stopped");
      return next();
    });
  },
});
const plugins = [stopping];

test("a File of which a copy was there before, made by hand, is not deleted with it", async () => {
  const project = await newProject();
  await project.write("a", "same");
  await project.failure(() => File("a", { path: "a", content: "same" }), { plugins });
  await project.up();
  expect(await project.read("a")).toBe("same");
  expect((await project.failure(() => File("a", { path: "a", content: "same" }))).code).toBe("UNRESOLVED");
  const { summary } = await project.up(() => File("a", { path: "a", content: "same" }, { adopt: true }));
  expect(summary).toEqual({ adopted: 1 });
});

test("a File of which nothing was there is made by the next run", async () => {
  const project = await newProject();
  const program = () => File("a", { path: "a", content: "x" });
  await project.failure(program, { plugins });
  await project.up(program);
  expect(await project.read("a")).toBe("x");
});

test("a Folder that was there before stays", async () => {
  const project = await newProject();
  await project.write("kept/x", "x");
  await project.failure(() => Folder("a", { path: "kept" }), { plugins });
  await project.up();
  expect(await project.tree()).toEqual(["kept/", "kept/x"]);
});

test("a Command that never ran is not undone: its delete does not run", async () => {
  const project = await newProject();
  await project.failure(() => Command("c", { command: "true", delete: "echo deleted >> log" }), { plugins });
  await project.up();
  expect(await project.tree()).toEqual([]);
});
