/** The program of one tenant: a database, a virtual host and the configuration of the proxy. */
import type { Scope, Secret } from "scope-engine";
import { File, Password } from "scope-engine/resources";
import { Database } from "./database.ts";
import { proxyConfiguration } from "./proxy.ts";
import { connectionsOf, type Tenant } from "./tenants.ts";
import { Vhost } from "./vhost.ts";

/** For the tenant's own programs, which read it with `engine.ref("tenants", { stage: id })`. */
export interface Access {
  readonly hostname: string;
  readonly url: Secret<string>;
  readonly readerUrl: Secret<string>;
  readonly vhost: string;
}

export async function program(app: Scope, { id, plan, hostname }: Tenant): Promise<Access> {
  const connections = connectionsOf[plan];
  const [owner, reader, queue] = await Promise.all([
    Password("owner-password"),
    Password("reader-password"),
    Password("queue-password"),
  ]);
  const [database, vhost] = await Promise.all([
    Database("main", { connections, password: owner.value, readerPassword: reader.value }),
    Vhost("queue", { connections, password: queue.value }),
  ]);
  const content = proxyConfiguration({ hostname, database: database.name, vhost: vhost.name });
  await File("proxy", { path: `sites/${id}.conf`, content });
  const access = { hostname, url: database.url, readerUrl: database.readerUrl, vhost: vhost.name };
  await app.outputs(access);
  return access;
}
