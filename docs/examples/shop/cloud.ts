/**
 * Two resource types in a cloud. The cloud is the folder `cloud`, with one file per resource, and each call takes time.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { Resource } from "scope-engine";

interface DatabaseProps {
  readonly name: string;
  /** Gigabytes. */
  readonly disk: number;
}

export const Database = Resource<{ name: string; url: string }, DatabaseProps>("cloud:Database", {
  replaceOn: ["name"],
  outputs: ({ props, output }) => ({ ...output, url: urlOf(props.name) }),
  async create({ props, token }) {
    await make(props.name, token);
    await pause(600);
    return { name: props.name, url: urlOf(props.name) };
  },
  async read({ output, props, token, recovering, log }) {
    const name = output?.name ?? props.name;
    const tag = await tagOf(name);
    if (recovering && !output && tag !== token) return undefined; // another owner's
    if (recovering && !output) log("already created");
    return tag === undefined ? undefined : { name, url: urlOf(name) };
  },
  async update({ output }) {
    await pause(600);
    return output;
  },
  delete: ({ output }) => remove(output.name),
});

interface ServerProps {
  readonly image: string;
  readonly cpus: number;
  readonly database: string;
}

export const Server = Resource<{ name: string }, ServerProps>("cloud:Server", {
  replaceOn: ["image"],
  recognizesOwn: true,
  outputs: ({ output, physicalName }) => output ?? { name: physicalName },
  async create({ physicalName: name, props, token }) {
    await make(name, token);
    await pause(400 * props.cpus); // the delay of its start
    return { name };
  },
  async read({ output, physicalName, token, recovering, log }) {
    const name = output?.name ?? physicalName;
    const tag = await tagOf(name);
    if (recovering && !output && tag !== token) return undefined;
    if (recovering && !output) log("already created");
    return tag === undefined ? undefined : { name };
  },
  async update({ output }) {
    await pause(200);
    return output;
  },
  delete: ({ output }) => remove(output.name),
});

function urlOf(database: string): string {
  return `postgres://${database}.internal`;
}

/** Refuses a name that is taken, and tags the resource with the creator's token. */
async function make(name: string, token: string): Promise<void> {
  await mkdir("cloud", { recursive: true });
  await writeFile(`cloud/${name}`, token, { flag: "wx" });
}

async function tagOf(name: string): Promise<string | undefined> {
  try {
    return await readFile(`cloud/${name}`, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function remove(name: string): Promise<void> {
  await pause(200);
  await rm(`cloud/${name}`, { force: true });
}
