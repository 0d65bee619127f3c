/** Pieces of the printed program are formatted as Biome and Prettier do, with unusual texts too. */
import { expect, test } from "vitest";
import { type Code, call, flat, listCode, objectCode, scopeCall, text } from "../../../plugins/import/print/code.js";
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

const AROUND = { indent: 0, before: "", after: ";" };

test("long texts, names and lists of numbers or objects need no formatter", async () => {
  const [long, longer] = ["k".repeat(30), "x".repeat(80)];
  const numbers = Array.from({ length: 60 }, (_one, at) => String((at * 7) / 4));
  const point = objectCode(["x", "y"].map((name) => [name, "1"]));
  const env = (name: string): Code => ({ open: "engine.secret.env(", close: ")", elements: [["", text(name)]] });
  const values: readonly Code[] = [
    ...["x".repeat(68), "x".repeat(69), longer, "🇩🇪".repeat(16), "\u200b".repeat(60)].map(text),
    ...[`\`${longer}\``, "1234567890", "true", "null", "{}", "[]", `${longer}.id`, "12n as unknown as number"],
    ...[
      listCode(numbers),
      listCode([listCode(numbers), listCode(numbers)]),
      listCode([point, point]),
      listCode([point]),
    ],
    ...[listCode([objectCode([["x", "1"]]), point]), env("SHORT_NAME"), env("A_NAME_THAT_IS_NOT_SHORT"), env(longer)],
    objectCode([["inner", objectCode([["member", text(longer)]])]]),
  ];
  const names = ["name", "names", "a-b", long, long.repeat(2), `${long.repeat(2)}${"k".repeat(12)}`];
  const calls = [text("id"), text("x".repeat(58)), text(longer), `\`\${x}${longer}\``].flatMap((id) =>
    ["await ", "const someName = await ", `const ${long} = await `].flatMap((before) =>
      ["f.a", `f.${"x".repeat(50)}`].flatMap((callee) =>
        [[], [point], [objectCode([["x", text(longer)]])], ["{}"], [point, point]].map((args) =>
          call(callee, [id, ...args], { ...AROUND, before }),
        ),
      ),
    ),
  );
  const scopes = ["eu", long, longer].flatMap((name) =>
    [[], [point], [objectCode([["x", text(longer)]])], [objectCode([["x", listCode([point, point])]])]].map((args) =>
      scopeCall(text(name), "module", args, { ...AROUND, before: `const ${"n".repeat(name.length)} = await ` }),
    ),
  );
  const members = names.flatMap((name) => values.map((value) => call("f", [objectCode([[name, value]])], AROUND)));
  await checkFormat([...members, ...calls, ...scopes].map((line) => `${line}\n`).join(""));
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
