import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { checkName } from "../../docs/examples/tenants/names.ts";
import { proxyConfiguration } from "../../docs/examples/tenants/proxy.ts";
import { readTenants } from "../../docs/examples/tenants/tenants.ts";
import { newFolder } from "../helpers/processes/new-folder.ts";

test("the example has twenty tenants of two plans", async () => {
  const tenants = await readTenants();
  expect(tenants).toHaveLength(20);
  expect(new Set(tenants.map(({ plan }) => plan))).toEqual(new Set(["small", "large"]));
});

test.each([
  ["{}", "is not a list of tenants"],
  ['[{ "id": "a", "plan": "huge", "hostname": "a.example.com" }]', "entry 1 needs an id, a plan and a hostname"],
  ['[{ "id": "a", "plan": "toString", "hostname": "a.example.com" }]', "entry 1 needs"],
  [
    `[${["a", "b"].map((id) => `{ "id": "${id}", "plan": "small", "hostname": "a.example.com" }`)}]`,
    "two tenants have the hostname a.example.com",
  ],
])("the list of tenants %s is refused", async (text, message) => {
  const file = join(await newFolder(), "tenants.json");
  await writeFile(file, text);
  await expect(readTenants(pathToFileURL(file))).rejects.toThrow(message);
});

test("a proxy's configuration has quoted names, and refuses what nginx would read as more than a text", () => {
  const site = { hostname: "a.example.com", database: 'a "b" \\', vhost: "v" };
  const text = proxyConfiguration(site);
  expect(text).toContain("server_name a.example.com;");
  expect(text).toContain('X-Tenant-Database "a \\"b\\" \\\\";');
  expect(() => proxyConfiguration({ ...site, hostname: "a.example.com; }" })).toThrow(/is not a host name/);
  expect(() => proxyConfiguration({ ...site, vhost: "$host" })).toThrow(/cannot quote/);
});

test("a name of a server's object is refused if the server would cut or misread it", () => {
  expect(() => checkName("database", "ä".repeat(28), 56)).not.toThrow();
  for (const name of ["", ".", "..", "a\nb", "\ud800", "ä".repeat(29)]) {
    expect(() => checkName("database", name, 56), name).toThrow(expect.objectContaining({ code: "NOT_CREATED" }));
  }
});
