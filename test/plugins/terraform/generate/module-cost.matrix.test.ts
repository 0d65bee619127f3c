import { expect, test } from "vitest";
import { generateModule } from "../../../../plugins/terraform/generate/index.js";
import { costRatio } from "../../../helpers/checks/cost.js";
import { all } from "./postgresql.ts";
import { largeSchema } from "./schemas.ts";

test("a module of all resources of a large provider is made in a time that grows as their number does", async () => {
  const [large, small] = [300, 15].map((count) => ({ schema: largeSchema(count), ...everything(count) }));
  const make = (more: object): string => generateModule({ ...all, ...more, type: "cloud" });
  expect(make(large ?? {}).length).toBeGreaterThan(300_000);
  // 20 times as many: comparing each with each would take about 400 times as long.
  expect(
    await costRatio(
      () => make(large ?? {}),
      () => make(small ?? {}),
    ),
  ).toBeLessThan(100);
});

function everything(count: number) {
  const resources = Array.from({ length: count }, (_, at) => `thing${at}`);
  return { resources, dataSources: [], ephemeral: [], functions: [] };
}
