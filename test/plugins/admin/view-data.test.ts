/** Data that resources keep for themselves, in views of a stage. */
import { expect, test } from "vitest";
import { Secret } from "../../../plugins/secrets/secret.js";
import { administered } from "./administered.js";

const given = administered();

test("a text is found in what a resource keeps, by the name that it has there, and not in a secret", async () => {
  const all = await given("memory");
  all.world.on("create db", async ({ set }) => {
    await set("from/where", { region: "north-1" });
    await set("token", new Secret("north wind"));
  });
  await all.stage.up(() => all.Thing("db"));
  expect(await (await all.admin().view()).find("NORTH")).toEqual([
    { what: "value", fqn: "app/dev/db", path: "/data/from~1where/region", excerpt: "north-1" },
  ]);
});

test("its changes from one copy to another are listed by name", async () => {
  const all = await given("memory");
  all.world.on("create db", async ({ set }) => {
    await set("size", 1);
    await set("stays", "as it is");
    await set("old", true);
  });
  await all.stage.up(() => all.Thing("db", { value: 1 }));
  all.world.on("update db", async (context) => {
    await context.set("size", 2);
    await context.delete("old");
    await context.set("new/er", new Secret("hush"));
  });
  await all.stage.up(() => all.Thing("db", { value: 2 }));
  const admin = all.admin();
  const [first, last] = (await admin.history()).map(({ seq }) => seq);
  const [db] = (await admin.difference(first ?? 0, last ?? 0)).resources;
  expect(db?.changes.filter(({ path }) => path.startsWith("/data/"))).toEqual([
    { path: "/data/new~1er", new: "(secret)" },
    { path: "/data/old", old: true },
    { path: "/data/size", old: 1, new: 2 },
  ]);
});
