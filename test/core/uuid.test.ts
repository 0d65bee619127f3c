import { describe, expect, it } from "vitest";
import { uuid } from "../../core/base/index.js";

describe("a UUID", () => {
  const many = Array.from({ length: 20_000 }, uuid);

  it("is of version 4, as RFC 9562 writes it", () => {
    for (const one of many)
      expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("is like no other, also when the bytes that were drawn together are used up", () => {
    expect(new Set(many).size).toBe(many.length);
  });

  it("has every digit in every place that is not fixed, about as often as any other", () => {
    for (let place = 0; place < 36; place++) {
      if ([8, 13, 14, 18, 19, 23].includes(place)) continue;
      const counts = new Map<string, number>();
      for (const one of many) counts.set(one.charAt(place), (counts.get(one.charAt(place)) ?? 0) + 1);
      expect(counts.size).toBe(16);
      // 1,250 each on average; 34 is the standard deviation.
      for (const count of counts.values()) expect(Math.abs(count - 1_250)).toBeLessThan(8 * 34);
    }
  });
});
