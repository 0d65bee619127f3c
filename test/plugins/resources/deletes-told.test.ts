/** Plans of deletes that do more than remove files from the root folder. */
import { expect, test } from "vitest";
import { engine } from "../../../plugins/index.js";
import { Command, CopyFile, File, Folder } from "../../../plugins/resources/index.js";
import { type Project, projects } from "./project.ts";

const newProject = projects();

async function told({ options }: Project): Promise<Readonly<Record<string, string | undefined>>> {
  const { actions } = await engine.plan("t", { logger: { info() {}, error() {} }, ...options }, () => {});
  return Object.fromEntries(
    actions.map(({ id, action, deletes }) => [id, action === "delete" ? deletes?.does : action]),
  );
}

test("a command that runs then, and its folder, are shown as a whole", async () => {
  const project = await newProject();
  await project.up(() => [
    Folder("sub", { path: "sub" }),
    Command("none", { command: "true" }),
    Command("text", { command: "true", delete: "dropdb --if-exists 'a shop' &&\n rm -rf x" }),
    Command("list", { command: "true", delete: ["rm", "-rf", "x"], cwd: "." }),
  ]);
  expect(await told(project)).toEqual({
    sub: undefined,
    none: undefined,
    text: "runs dropdb --if-exists 'a shop' &&\n rm -rf x",
    list: "runs rm -rf x in .",
  });
});

test("a file is shown if it is outside of the root folder, and not if it only might be", async () => {
  const project = await newProject();
  await project.up(() => [
    File("in", { path: "in.txt", content: "" }).then(() =>
      CopyFile("copy", { from: "in.txt", to: "../told-copy.txt", outside: true }),
    ),
    File("allowed", { path: "allowed.txt", content: "", outside: true }),
    File("relative", { path: "../told-relative.txt", content: "", outside: true }),
    File("absolute", { path: project.path("../told-absolute.txt"), content: "", outside: true }),
  ]);
  expect(await told(project)).toEqual({
    copy: "removes ../told-copy.txt, outside of the root folder",
    in: undefined,
    allowed: undefined,
    relative: "removes ../told-relative.txt, outside of the root folder",
    absolute: `removes ${project.path("../told-absolute.txt")}, outside of the root folder`,
  });
});
