/** Pieces of the printed program are formatted as Biome and Prettier do, with unusual texts too. */
import { expect, test } from "vitest";
import { call, flat, objectCode, text } from "../../../plugins/import/print/code.js";
import { checkFormat } from "./tofu-project.ts";

const texts = ['a "quote"', "it's", `"'`, '\\"', "\u2028`${", "é 漢字 🎉"];

test("texts with quotes, and calls with two objects, need no formatter", async () => {
  const literals = texts.map((one) => `f(${text(one)});\n`);
  const [note, id] = [objectCode([["note", text("漢字".repeat(12))]]), objectCode([["id", text("fixture-west")]])];
  const calls = [
    [note, id],
    [objectCode([["a", "1"]]), id],
    [text("b"), note],
    [text("x".repeat(9)), note, id],
  ].map((args) => call("configureFixture", args, { indent: 0, before: "const one = ", after: ";" }));
  for (const one of [...literals, ...calls.map((code) => `${code}\n`)]) await checkFormat(one);
});

test("a printed text has the value that it had", () => {
  for (const one of texts) expect(new Function(`return ${text(one)}`)()).toBe(one);
});

test("only a variable shortens a member that has its name", () => {
  const values = { "12": text("12"), "a b": text("a b"), true: "true", null: "null", one: "one" };
  const printed = flat(objectCode(Object.entries(values)));
  expect(new Function("one", `return ${printed}`)(1)).toEqual({
    "12": "12",
    "a b": "a b",
    true: true,
    null: null,
    one: 1,
  });
  expect(printed).toMatch(/, one \}$/);
});
