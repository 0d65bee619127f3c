import { describe, expect, test } from "vitest";
import { type Column, table } from "../../../plugins/cli/table.js";

interface Row {
  readonly name: string;
  readonly kind: string;
}

const columns: readonly Column<Row>[] = [
  { title: "NAME", text: ({ name }) => name, cut: "middle" },
  { title: "KIND", text: ({ kind }) => kind },
];
const rows = [
  { name: "shop/prod/tenants/acme/database", kind: "fs:File" },
  { name: "shop/prod/größe", kind: "a kind\nof two lines" },
];

describe("a table", () => {
  test("is whole where it goes to no terminal", async () => {
    expect(await table(rows, columns, undefined)).toEqual([
      "NAME                             KIND",
      "shop/prod/tenants/acme/database  fs:File",
      "shop/prod/größe                  a kind of two lines",
    ]);
  });

  test("is at most as wide as the terminal, and the widest column shrinks", async () => {
    const lines = await table(rows, columns, 40);
    expect(lines).toEqual([
      "NAME                 KIND",
      "shop/prod…/database  fs:File",
      "shop/prod/größe      a kind of two lines",
    ]);
  });

  test("knows how wide characters are", async () => {
    const wide = [
      { name: "資源", kind: "x" },
      { name: "abcd", kind: "y" },
    ];
    expect(await table(wide, columns, undefined)).toEqual(["NAME  KIND", "資源  x", "abcd  y"]);
  });

  test("keeps columns readable on a terminal that is too narrow for them", async () => {
    expect(await table(rows.slice(0, 1), columns, 5)).toEqual(["NAME      KIND", "shop…ase  fs:File"]);
  });
});
