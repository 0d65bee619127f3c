/** The configuration of a reverse proxy for one tenant, in the language of nginx. It contains no password. */
import { EngineError } from "scope-engine";

export interface Site {
  readonly hostname: string;
  readonly database: string;
  readonly vhost: string;
}

export function proxyConfiguration({ hostname, database, vhost }: Site): string {
  if (!/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/.test(hostname)) {
    throw new EngineError("INVALID_PROPS", `${JSON.stringify(hostname)} is not a host name. Correct tenants.json.`);
  }
  return `server {
  listen 127.0.0.1:8080;
  server_name ${hostname};
  location / {
    proxy_set_header Host $host;
    proxy_set_header X-Tenant-Database ${quoted(database)};
    proxy_set_header X-Tenant-Vhost ${quoted(vhost)};
    proxy_pass http://127.0.0.1:3000;
  }
}
`;
}

/** A text of nginx cannot escape `$`, which begins the name of a variable. */
function quoted(text: string): string {
  if (text.includes("$")) throw new EngineError("INVALID_PROPS", `nginx cannot quote ${JSON.stringify(text)}.`);
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
