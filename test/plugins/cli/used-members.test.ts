import { describe, expect, test } from "vitest";
import { usedMembers } from "../../../plugins/cli/providers/program-uses.js";
import { usesIn } from "../../../plugins/cli/typescript/babel.ts";

const module = {
  functionName: "postgresql",
  objectName: "Postgresql",
  groups: ["data", "ephemeral", "functions"],
  isImport: (specifier: string) => specifier.endsWith("/postgresql.js"),
};

function used(...texts: readonly string[]): readonly string[] {
  return usedMembers(
    texts.map((text, at) => ({ path: `/file${at}.ts`, uses: usesIn(`/file${at}.ts`, text) })),
    module,
  );
}

const IMPORT = 'import { postgresql, type Postgresql } from "./providers/postgresql.js";\n';

describe("members of a provider that a program asks for", () => {
  test.each([
    ["const pg = postgresql({ host: 'h' }); await pg.role('a', {}); pg.data.schemas('b');", ["data.schemas", "role"]],
    ["const pg = await postgresql({}); pg?.role?.('a'); pg['database']('b');", ["database", "role"]],
    ["postgresql({}).role('a');", ["role"]],
    ["const { role, data: { schemas: all } } = postgresql({}); role('a');", ["data.schemas", "role"]],
    ["const pg = postgresql({}); const { data } = pg; data.schemas('a');", ["data.schemas"]],
    ["let pg; pg = postgresql({})!; const other = pg as Postgresql; other.role('a');", ["role"]],
    ["class Stack { pg = postgresql({}); make() { return this.pg.role('a'); } }", ["role"]],
    ["class Stack { #pg = postgresql({}); make() { return this.#pg.role('a'); } }", ["role"]],
    ["class Stack { constructor(private readonly db: Postgresql) {} make() { return this.db.role('a'); } }", ["role"]],
    ["function make(pg: Postgresql) { return pg.functions.quote('a'); }", ["functions.quote"]],
    ["const make = ({ role, ...rest }: Postgresql) => role('a');", ["role"]],
    ["const context = { pg: postgresql({}) }; context.pg.role('a');", ["role"]],
    ["interface Context { pg: Postgresql } const make = (c: Context) => c.pg.role('a');", ["role"]],
    ["const pg = postgresql({}); const role = pg.role; role('a');", ["role"]],
    ["const pg = postgresql({}); pg.role('a').then(({ name }) => name);", ["role"]],
    ["const other = make({}); other.role('a'); 'pg.role';", []],
  ])("%s", (text, names) => {
    expect(used(IMPORT + text)).toEqual(names);
  });

  test("are found by any name that it is imported under", () => {
    expect(used('import { postgresql as db } from "./postgresql.js"; const x = db({}); x.role("a");')).toEqual([
      "role",
    ]);
    expect(used('import * as all from "./postgresql.js"; const x = all.postgresql({}); x.role("a");')).toEqual([
      "role",
    ]);
    expect(used('import { postgresql } from "other"; const x = postgresql({}); x.role("a");')).toEqual([]);
  });

  test("are found in other files than the one that makes it", () => {
    expect(
      used(
        `${IMPORT}export const pg = postgresql({}); export { pg as db };`,
        'import { db } from "./file0.js"; db.role("a");',
      ),
    ).toEqual(["role"]);
  });

  test("are found in a program that is not right yet", () => {
    expect(used(`${IMPORT}const pg = postgresql({}); const pg = 1; pg.role("a");`)).toEqual(["role"]);
  });
});
