/** The resource type of a tenant's virtual host in RabbitMQ, with a user who may use it. */
import { Resource, type Secret } from "scope-engine";
import { belongsToOthers, checkName, markOf } from "./names.ts";
import { type Api, fitsHash, hashOf, rabbitmq } from "./rabbitmq.ts";

interface VhostProps {
  /** Name of the virtual host and of its user. Default: the physical name. */
  readonly name?: string;
  /** Largest number of connections at the same time. */
  readonly connections: number;
  readonly password: Secret<string>;
}

interface VhostOutput {
  readonly name: string;
  /** The condition on the server, so that a change made by hand is drift. */
  readonly found: Facts;
}

interface Facts {
  readonly vhost?: {
    readonly permissions: Readonly<Record<string, Permission>>;
    readonly limits: Readonly<Record<string, number>>;
  };
  readonly user?: { readonly tags: readonly string[]; readonly passwordFits: boolean };
}

type Permission = Readonly<Record<"configure" | "write" | "read", string>>;
type Permissions = readonly ({ readonly user: string } & Permission)[];

export const Vhost = Resource<VhostOutput, VhostProps>("tenants:Vhost", {
  replaceOn: ["name"],
  recognizesOwn: true,
  outputs: ({ props, output, physicalName }) => ({ name: output?.name ?? props.name ?? physicalName }),
  create: ({ props, physicalName, uid, signal }) =>
    settle(rabbitmq(signal), props.name ?? physicalName, props, markOf(uid)),
  update: ({ props, output, uid, signal }) => settle(rabbitmq(signal), output.name, props, markOf(uid)),
  async read({ props, output, physicalName, uid, signal }) {
    const name = output?.name ?? props.name ?? physicalName;
    const { found } = await lookUp(rabbitmq(signal), name, props, markOf(uid));
    return found.vhost || found.user ? { name, found } : undefined;
  },
  async delete({ props, output: { name }, uid, signal }) {
    const api = rabbitmq(signal);
    const { found } = await lookUp(api, name, props, markOf(uid));
    if (found.vhost) await api("DELETE", ["vhosts", name]);
    if (found.user) await api("DELETE", ["users", name]);
  },
});

/**
 * Makes the missing parts and gives all parts the declared condition. Each part gets its mark in the request that makes
 * it, so the process may die between any two requests.
 */
async function settle(api: Api, name: string, props: VhostProps, mark: string): Promise<VhostOutput> {
  checkName("virtual host", name, 255);
  const before = await lookUp(api, name, props, mark);
  if (before.foreign.length > 0) throw belongsToOthers(before.foreign);
  await api("PUT", ["vhosts", name], { description: mark });
  await api("PUT", ["users", name], { password_hash: hashOf(props.password.unencrypted), tags: mark });
  await api("PUT", ["permissions", name, name], { configure: ".*", write: ".*", read: ".*" });
  // The server has given the user of this API all permissions.
  const { permissions } = await insideOf(api, name);
  for (const user of Object.keys(permissions).filter((one) => one !== name)) {
    await api("DELETE", ["permissions", name, user]);
  }
  await api("PUT", ["vhost-limits", name, "max-connections"], { value: props.connections });
  return { name, found: (await lookUp(api, name, props, mark)).found };
}

/** Returns the parts with the mark, and the names of parts that others made. */
async function lookUp(
  api: Api,
  name: string,
  { password }: VhostProps,
  mark: string,
): Promise<{ found: Facts; foreign: string[] }> {
  const [vhost, user] = await Promise.all([
    api<{ description?: string }>("GET", ["vhosts", name]),
    api<{ tags: string[]; password_hash: string }>("GET", ["users", name]),
  ]);
  const [isOwnVhost, isOwnUser] = [vhost?.description === mark, user?.tags.includes(mark) ?? false];
  const foreign = [vhost && !isOwnVhost ? "virtual host" : undefined, user && !isOwnUser ? "user" : undefined];
  return {
    found: {
      vhost: isOwnVhost ? await insideOf(api, name) : undefined,
      user:
        user && isOwnUser
          ? { tags: user.tags, passwordFits: fitsHash(password.unencrypted, user.password_hash) }
          : undefined,
    },
    foreign: foreign.flatMap((part) => (part ? [`${part} ${JSON.stringify(name)}`] : [])),
  };
}

async function insideOf(api: Api, name: string): Promise<NonNullable<Facts["vhost"]>> {
  const permissions = (await api<Permissions>("GET", ["vhosts", name, "permissions"])) ?? [];
  const [limits] = (await api<{ value: Record<string, number> }[]>("GET", ["vhost-limits", name])) ?? [];
  return {
    permissions: Object.fromEntries(
      permissions.map(({ user, configure, write, read }) => [user, { configure, write, read }]),
    ),
    limits: limits?.value ?? {},
  };
}
