import { describe, expect, test } from "vitest";
import { wrapped } from "../../../plugins/internal/text/lines.js";

describe("a line on a terminal", () => {
  test("stays as it is where it fits, and where there is no terminal", () => {
    expect(wrapped("a  line", { columns: 80, indent: 2 })).toEqual(["a  line"]);
    expect(wrapped("two words", { columns: 0, indent: 2 })).toEqual(["two words"]);
    expect(wrapped("word ".repeat(50), { columns: undefined, indent: 2 })).toEqual(["word ".repeat(50)]);
  });

  test("is broken at spaces, and goes on below its first words", () => {
    expect(
      wrapped("FAILED   shop/dev/a  (K, create): The table could not be created", { columns: 44, indent: 9 }),
    ).toEqual(["FAILED   shop/dev/a  (K, create): The table", "         could not be created"]);
  });

  test("goes on where it began, if it is indented", () => {
    const rows = wrapped("      because of something that takes some room", { columns: 40, indent: 2 });
    expect(rows).toEqual(["      because of something that takes", "      some room"]);
  });

  test("loses the spaces at which it is broken, and none within", () => {
    const rows = wrapped("stopped  shop/dev/customers-and-addresses  (K)  x", { columns: 41, indent: 9 });
    expect(rows).toEqual(["stopped  shop/dev/customers-and-addresses", "         (K)  x"]);
  });

  test("keeps a word whole that is longer than a row, so that it can be copied", () => {
    const url = `https://example.com/${"x".repeat(60)}`;
    expect(wrapped(`see ${url} there`, { columns: 40, indent: 2 })).toEqual(["see", `  ${url}`, "  there"]);
  });

  test("is as wide as what can be seen of it", () => {
    const line = `\u001B[31m${"word ".repeat(8).trim()}\u001B[39m`;
    expect(wrapped(line, { columns: 40, indent: 2 })).toEqual([line]);
  });
});
