import { describe, expect, test } from "vitest";
import { Command, CopyFile, File, Folder, Process, RandomString } from "../../../plugins/resources/index.js";
import { projects } from "./project.ts";

const newProject = projects();

describe("a prop that a built-in type does not have is refused by name, instead of doing nothing", () => {
  test.each<[string, (...args: never[]) => unknown, object, string]>([
    [
      "File",
      File,
      { path: "a", content: "", encoding: "base64" },
      "props.encoding: is not a prop of this type. Known props: path",
    ],
    [
      "File, misspelt",
      File,
      { path: "a", content: "", outsied: true },
      'props.outsied: is not a prop of this type. Did you mean "outside"?',
    ],
    [
      "Folder",
      Folder,
      { path: "a", mode: 0o700 },
      "props.mode: is not a prop of this type. Known props: path, outside.",
    ],
    [
      "CopyFile",
      CopyFile,
      { src: "a", from: "a", to: "b" },
      "props.src: is not a prop of this type. Known props: from, to",
    ],
    ["Command", Command, { command: ["true"], environment: {} }, "props.environment: is not a prop of this type"],
    ["Process", Process, { command: "true", arg: [] }, 'props.arg: is not a prop of this type. Did you mean "args"?'],
    ["RandomString", RandomString, { encoding: "hex" }, "props.encoding: is not a prop of this type"],
    [
      "RandomString, by a name of every object",
      RandomString,
      { toString: 1 },
      "props.toString: is not a prop of this type",
    ],
  ])("%s", async (_, type, props, message) => {
    const project = await newProject();
    const failure = await project.failure(() => Reflect.apply(type, undefined, ["a", props]));
    expect(failure).toMatchObject({ code: "INVALID_PROPS", message: expect.stringContaining(message) });
    expect((await project.up()).summary).toEqual({});
  });

  test("one that is undefined counts as absent", async () => {
    const project = await newProject();
    const props = { path: "a", encoding: undefined };
    expect((await project.up(() => Reflect.apply(Folder, undefined, ["a", props]))).summary).toEqual({ created: 1 });
  });
});
