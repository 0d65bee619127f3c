import { describe, expect, onTestFinished, test, vi } from "vitest";
import { indexInAnyCase } from "../../../plugins/admin/operations/view/find.js";
import { cases, fc } from "../../helpers/checks/generated.js";

const PIECE = 65_536;

describe("a text in another", () => {
  test("is found where it begins, wherever pieces of it end", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "B", "c", "Ü", "ß"), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(word, fc.nat(3 * PIECE), fc.nat(2 * PIECE), (text, before, after) => {
        const whole = `${"-".repeat(before)}${text}${"-".repeat(after)}`;
        expect(indexInAnyCase(whole, text.toLowerCase())).toBe(before);
      }),
      { numRuns: cases(500) },
    );
  });

  test.each([-13, -11, -5, 0, 1])("is found where it stands %i characters beside the end of a piece", (beside) => {
    const whole = `${"-".repeat(PIECE + beside)}Hello World${"-".repeat(PIECE)}`;
    expect(indexInAnyCase(whole, "hello world")).toBe(PIECE + beside);
    expect(indexInAnyCase(whole, "hello there")).toBe(-1);
  });

  test("is found though it is longer than a piece", () => {
    const long = "Ab".repeat(PIECE);
    expect(indexInAnyCase(`-${long}-`, long.toLowerCase())).toBe(1);
    expect(indexInAnyCase(long, `${long}x`.toLowerCase())).toBe(-1);
  });

  test("that comes early is found without a look at all of a huge one", () => {
    const lowered = vi.spyOn(String.prototype, "toLowerCase");
    onTestFinished(() => lowered.mockRestore());
    expect(indexInAnyCase(`Early ${"x".repeat(50_000_000)}`, "early")).toBe(0);
    expect(lowered.mock.contexts.map((text) => String(text).length)).toEqual([PIECE]);
  });
});
