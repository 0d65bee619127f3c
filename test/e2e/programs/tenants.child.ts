/**
 * Runs the program of one tenant of docs/examples/tenants, or deletes the tenant: `up ada`, `down ada`. With a third
 * argument such as `sql:3`, it kills itself when the server has done the third change in SQL, or by HTTP (`http:3`).
 */
import { pathToFileURL } from "node:url";
import pg from "pg";
import { program } from "../../../docs/examples/tenants/tenant.ts";
import { readTenants } from "../../../docs/examples/tenants/tenants.ts";
import { engine } from "../../../plugins/index.js";

const [command, id, killed = ""] = process.argv.slice(2);
const [kind, number] = killed.split(":");
let left = Number(number);

async function counted<T>(answer: Promise<T>): Promise<T> {
  const value = await answer;
  left--;
  if (left === 0) process.kill(process.pid, "SIGKILL");
  return value;
}

if (kind === "sql") {
  const { query } = pg.Client.prototype;
  const counting = function (this: pg.Client, text: string, ...rest: unknown[]): Promise<unknown> {
    const answer: Promise<unknown> = Reflect.apply(query, this, [text, ...rest]);
    return text.trim().startsWith("SELECT") ? answer : counted(answer);
  };
  Object.assign(pg.Client.prototype, { query: counting });
}
if (kind === "http") {
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    const answer = fetch(input, init);
    return init?.method === "GET" ? answer : counted(answer);
  };
}

const tenants = await readTenants(pathToFileURL(process.env.TENANTS_FILE ?? ""));
const tenant = tenants.find((one) => one.id === id);
if (!tenant) throw new Error(`no tenant ${id}`);
const options = { stage: tenant.id };
if (command === "up") await engine.up("tenants", options, (app) => program(app, tenant));
else await engine.down("tenants", options);
