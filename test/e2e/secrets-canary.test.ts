import { describe, expect, test } from "vitest";
import { canaries } from "./canary/canaries.ts";
import { failingStores } from "./canary/commands.ts";
import { intendedWays } from "./canary/runs.ts";
import { encodings, Scanner } from "./canary/scanner.ts";
import { noneIsSeen } from "./canary/suite.ts";

// The matrix sends all of them these ways, and also through the output of commands.
noneIsSeen(
  [
    ["that are recorded, changed, read and deleted", intendedWays],
    ["that stores throw", failingStores],
  ],
  30,
);

describe("the scanner", () => {
  const few = canaries(7, 30);
  const text = few[0]?.text ?? "";
  const scannerOfFew = new Scanner(few);
  const planted: readonly (readonly [string, string])[] = [
    ["raw", text],
    ["json", JSON.stringify(JSON.stringify({ text }))],
    ...["", "x", "xy"].map((before) => ["base64", Buffer.from(`${before}${text}yx`).toString("base64")] as const),
    ...["", "x", "xy"].map((before) => ["base64url", Buffer.from(`${before}${text}yx`).toString("base64url")] as const),
    ["hex", Buffer.from(`x${text}x`).toString("hex")],
    ["hex", Buffer.from(`x${text}x`).toString("hex").toUpperCase()],
    ["percent", encodeURIComponent(`x${text}x`)],
    ["percent", new URLSearchParams({ text }).toString()],
  ];
  test.each(planted)("finds a secret that is there as %s", (encoding, there) => {
    expect(encodings[encoding]?.(text).some((form) => there.includes(form))).toBe(true);
    expect(scannerOfFew.find(`before ${there} after`, "text")).not.toEqual([]);
    expect(scannerOfFew.find(`before ${there} after`, "file")).not.toEqual([]);
    expect(scannerOfFew.find("before and after", "text")).toEqual([]);
  });

  test("knows each encoding", () => {
    expect([...new Set(planted.map(([encoding]) => encoding))]).toEqual(Object.keys(encodings));
  });
});
