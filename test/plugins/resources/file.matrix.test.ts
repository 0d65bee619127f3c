import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { File } from "../../../plugins/resources/index.js";
import { projects } from "./project.ts";

const newProject = projects();

test("File holds large content byte for byte", async () => {
  const project = await newProject();
  const large = randomBytes(20 * 1024 * 1024);
  const program = () => File("large", { path: "large.bin", content: large });
  await project.up(program);
  expect((await readFile(project.path("large.bin"))).equals(large)).toBe(true);
  expect((await project.up(program)).summary).toEqual({ unchanged: 1 });
  await project.destroy();
  expect(await project.tree()).toEqual([]);
});
