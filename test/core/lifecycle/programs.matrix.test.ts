import { describe, test } from "vitest";
import { fc } from "../../helpers/checks/generated.ts";
import { isLong } from "../../helpers/checks/sampling.ts";
import { histories } from "./order-world/history.ts";
import { live } from "./programs/tell.ts";

const numRuns = isLong ? 3000 : 100;

describe("whatever a program becomes, and wherever its runs fail or are interrupted", () => {
  test.each(["sequential", "parallel"] as const)(
    "nothing is deleted too early, nothing is lost, and an unchanged run does nothing (%s)",
    async (strategy) => {
      const property = fc.asyncProperty(histories, async (chapters) => {
        const problems = await live(chapters, strategy);
        if (problems.length > 0) throw new Error(problems.join("\n"));
      });
      await fc.assert(property, { numRuns });
    },
  );
});
