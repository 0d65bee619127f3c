import { describe, expect, test } from "vitest";
import { namesOf, namesOfTypes, programPath, programPathText } from "../../../../plugins/terraform/schema/index.js";
import { block, blocks, nested, optional } from "./shapes.js";

function program(...all: string[]): string[] {
  const { toProgram } = namesOf(block(Object.fromEntries(all.map((name) => [name, optional]))));
  return all.map((name) => toProgram.get(name) ?? "");
}

describe("names for programs", () => {
  test.each([
    ["name", "name"],
    ["for_each", "forEach"],
    ["count", "count"],
    ["ipv4_cidr_block", "ipv4CidrBlock"],
    ["subnet_1", "subnet1"],
    ["__x", "__x"],
    ["a__b", "a__b"],
    ["x_", "x_"],
    ["aB", "aB"],
    ["then", "then_"],
    ["__proto__", "__proto___"],
    ["constructor", "constructor_"],
    ["to_string", "toString_"],
    ["value_of", "valueOf_"],
    ["has_own_property", "hasOwnProperty_"],
  ])("%s is %s", (name, want) => {
    expect(program(name)).toEqual([want]);
  });

  test("are those of the provider where two would be one", () => {
    expect(program("a_b", "aB", "c_d")).toEqual(["a_b", "aB", "cD"]);
    expect(program("x_1", "x1")).toEqual(["x_1", "x1"]);
    expect(program("then", "then_")).toEqual(["then", "then_"]);
  });

  test("are the same whichever comes first", () => {
    expect(program("aB", "a_b")).toEqual(["aB", "a_b"]);
  });
});

describe("names of types", () => {
  const types = (provider: string, ...all: string[]) => [...namesOfTypes(provider, all).toProgram.values()];

  test("are without the provider's own name", () => {
    expect(types("postgresql", "postgresql_database", "postgresql_default_privileges")).toEqual([
      "database",
      "defaultPrivileges",
    ]);
  });

  test("keep it where nothing would be left, or no name", () => {
    expect(types("http", "http")).toEqual(["http"]);
    expect(types("null", "null_2x")).toEqual(["null2x"]);
    expect(types("google-beta", "google_project")).toEqual(["googleProject"]);
  });

  test("that would be one stay as they are", () => {
    expect(types("x", "x_a_b", "x_aB")).toEqual(["x_a_b", "x_aB"]);
  });
});

test("a provider's path is one of the program: blocks, nested attributes and objects by their names, keys of maps as they are", () => {
  const schema = block(
    {
      all_tags: { type: ["map", ["object", { key_name: "string" }]] },
      log_in: nested("map", { user_name: optional }),
      any_thing: { type: "dynamic" },
    },
    {
      in_rule: blocks("list", block({ from_port: { type: "number" } })),
      time_outs: blocks("single", block({ to_go: optional })),
    },
  );
  const text = (...path: Parameters<typeof programPath>[1]) => programPathText(programPath(schema, path));
  expect(text("in_rule", { element: "number", key: 0 }, "from_port")).toBe("inRule[0].fromPort");
  expect(text("time_outs", "to_go")).toBe("timeOuts.toGo");
  expect(text("all_tags", { element: "string", key: "a_b" }, "key_name")).toBe("allTags.a_b.keyName");
  expect(text("log_in", { element: "string", key: "user_name" }, "user_name")).toBe("logIn.user_name.userName");
  expect(text("any_thing", "a_b")).toBe("anyThing.a_b");
  expect(text("in_rule")).toBe("inRule");
  expect(text("what_else", "a_b")).toBe("what_else.a_b");
});
