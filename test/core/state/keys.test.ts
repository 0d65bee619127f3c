import { describe, expect, it } from "vitest";
import { decodeName, encodeName, ledgerKeys, seqOf } from "../../../core/state/index.js";
import { anyCharacter, fc } from "../../helpers/checks/generated.js";

const name = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom("a", "A", "%", "_", "é", "/", ".", "\ud800", "\udc00") }),
);

describe("the encoded name", () => {
  it("is never the same for two names", () => {
    const seen = new Map<string, string>();
    const names = fc.sample(name, { numRuns: 5_000, seed: 1 });
    for (const one of names) {
      expect(seen.get(encodeName(one)) ?? one).toBe(one);
      seen.set(encodeName(one), one);
    }
  });

  it("keeps names apart that only differ far behind", () => {
    const long = "x".repeat(300);
    expect(encodeName(`${long}a`)).not.toBe(encodeName(`${long}b`));
  });

  it("keeps a long name apart from the name that looks like its short form", () => {
    const short = encodeName("x".repeat(300));
    expect(encodeName(short)).not.toBe(short);
  });

  it("holds only what every store and file system takes, and at most 120 characters", () => {
    fc.assert(
      fc.property(name, (one) => {
        expect(encodeName(one)).toMatch(/^[A-Za-z0-9._%-]{0,120}$/);
      }),
    );
    expect(encodeName("é".repeat(256)).length).toBeLessThanOrEqual(120);
    expect(encodeName("x".repeat(120))).toBe("x".repeat(120));
  });

  it("can be read back, unless it was shortened", () => {
    fc.assert(
      fc.property(name, (one) => {
        const encoded = encodeName(one);
        expect(decodeName(encoded)).toBe(encoded.includes("%_") ? undefined : one);
      }),
    );
    for (const other of ["a b", "%6", "%61", "%FF", "%_1"]) expect(decodeName(other), other).toBeUndefined();
  });

  it("leaves plain names as they are", () => {
    expect(encodeName("my-app_1.0")).toBe("my-app_1.0");
    expect(encodeName("a/b")).toBe("a%2Fb");
  });
});

describe("the keys of a stage", () => {
  const keys = ledgerKeys("app", "dev");

  it("stand in one folder for each app and stage", () => {
    expect(keys.entry(1)).toBe("app/dev/journal/000000000001");
    expect(keys.checkpoint(2)).toBe("app/dev/checkpoint/000000000002");
    expect(keys.history(3)).toBe("app/dev/history/000000000003");
    expect(keys.lease("s")).toBe("app/dev/lease/s");
  });

  it("all begin with its root", () => {
    const all = [keys.entry(1), keys.checkpoint(1), keys.history(1), keys.lease("s"), keys.entries, keys.checkpoints];
    expect(all.filter((key) => !key.startsWith(keys.root))).toEqual([]);
  });

  it("never begin with another stage's root", () => {
    const others = [
      ledgerKeys("app", "de"),
      ledgerKeys("app", "dev2"),
      ledgerKeys("ap", "p/dev"),
      ledgerKeys("app/dev", ""),
    ];
    expect(others.filter(({ root }) => keys.entry(1).startsWith(root))).toEqual([]);
  });

  it("sort like their numbers", () => {
    const sorted = [9, 10, 99, 100, 999_999_999_999].map(keys.entry);
    expect(sorted.toSorted()).toEqual(sorted);
  });

  it("give their numbers back", () => {
    for (const seq of [1, 64, 123_456_789_012]) {
      expect([keys.entry(seq), keys.checkpoint(seq), keys.history(seq)].map(seqOf)).toEqual([seq, seq, seq]);
    }
  });

  it("give no number if a foreign key stands among them", () => {
    const foreign = ["", "notes", "1", "00000000000a", "0000000000001", "000000000001.bak", "-00000000001"];
    expect(foreign.map((key) => seqOf(`${keys.entries}${key}`))).toEqual(foreign.map(() => undefined));
  });
});
