import { describe, expectTypeOf, test } from "vitest";
import {
  Command,
  type CommandOutput,
  CopyFile,
  type CopyFileOutput,
  File,
  type FileOutput,
  Folder,
  type FolderOutput,
  Password,
  type PasswordOutput,
  RandomString,
  type RandomStringOutput,
} from "../../../plugins/resources/index.js";

/** Never called: its types are for the compiler. */
async function program(): Promise<void> {
  const file = await File("a", { path: "a", content: new Uint8Array(1), mode: 0o600 });
  expectTypeOf(file).toEqualTypeOf<FileOutput>();
  expectTypeOf(file.path).toEqualTypeOf<string>();
  expectTypeOf(await Folder("b", { path: "b" })).toEqualTypeOf<FolderOutput>();
  expectTypeOf(await CopyFile("c", { from: "a", to: "c" })).toEqualTypeOf<CopyFileOutput>();
  expectTypeOf(await Command("d", { command: ["ls", "-l"] })).toEqualTypeOf<CommandOutput>();
  expectTypeOf(await RandomString("e")).toEqualTypeOf<RandomStringOutput>();
  expectTypeOf(
    await RandomString("e", { length: 8, keepers: [1] }, { dependsOn: [file] }),
  ).toEqualTypeOf<RandomStringOutput>();
  expectTypeOf(await RandomString("e", { secret: true })).toEqualTypeOf<PasswordOutput>();
  expectTypeOf(await Password("p", { keepers: { rotated: 1 } })).toEqualTypeOf<PasswordOutput>();
  // Promises may stand for any part of the props.
  File("f", { path: Promise.resolve("f"), content: RandomString("g").then(({ value }) => value), mode: undefined });
  Command("h", { command: "ls", env: { A: Promise.resolve("a") }, inputs: { any: new Map([[1, file]]) } });

  // @ts-expect-error a file needs content
  File("i", { path: "i" });
  // @ts-expect-error content is text or bytes
  File("j", { path: "j", content: 1 });
  // @ts-expect-error there is no such prop
  File("k", { path: "k", content: "", contents: "" });
  // @ts-expect-error props are needed
  Folder("l");
  // @ts-expect-error a list has at least a program
  Command("m", { command: [] });
  // @ts-expect-error variables are strings
  Command("n", { command: "ls", env: { A: 1 } });
  // @ts-expect-error there is no such prop
  Password("o", { encoding: "hex" });
  // @ts-expect-error the output has no such member
  (await RandomString("o")).text;
  // @ts-expect-error outputs cannot be changed
  file.path = "p";
}

describe("the built-in resources", () => {
  test("know what they take and give", () => {
    expectTypeOf(program).returns.resolves.toBeVoid();
  });
});
