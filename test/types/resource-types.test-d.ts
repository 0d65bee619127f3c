/** Code that compiles, and code that must not: `tsc -p test/tsconfig.json` is the test. */
import type {
  Context,
  HandlersDefinition,
  PendingResource,
  ResourceType,
  StandardSchema,
} from "../../core/contract/index.js";
import { Resource } from "../../core/resource/index.js";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles only if both types are the same. */
declare function same<A, B>(equal: Same<A, B>): void;

interface FileProps {
  readonly path: string;
  readonly content?: string;
  readonly tags?: readonly { readonly key: string; readonly value?: number }[];
}

interface FileOutput {
  readonly path: string;
  readonly size: number;
}

// The function form: `this` is narrowed by the phase.
const File = Resource(
  "types:File",
  async function (this: Context<FileOutput, FileProps>, id: string, props: FileProps): Promise<FileOutput> {
    same<typeof id, string>(true);
    if (this.phase === "create") {
      same<typeof this.output, undefined>(true);
      same<typeof this.props, FileProps | undefined>(true);
      // @ts-expect-error There is nothing yet.
      this.output.path;
    } else {
      same<typeof this.output, FileOutput>(true);
      same<typeof this.props, FileProps>(true);
    }
    if (this.phase === "delete") return this.destroy();
    if (this.phase === "update" && this.output.path !== props.path) return this.replace(true);
    // @ts-expect-error The output may not be there.
    this.output.path;
    return { path: props.path, size: 1 };
  },
);
same<typeof File, ResourceType<FileOutput, FileProps>>(true);

// The long form: the output type is inferred from create.
const Bucket = Resource("types:Bucket", {
  async create({ props, phase }: { readonly props: { readonly name: string }; readonly phase: "create" }) {
    same<typeof phase, "create">(true);
    return { arn: `arn:${props.name}`, region: 1 };
  },
  async update({ output, previous, changes }) {
    same<typeof output, { arn: string; region: number }>(true);
    same<typeof previous, { readonly name: string }>(true);
    same<typeof changes, readonly string[]>(true);
    return output;
  },
  async read({ output }) {
    same<typeof output, { arn: string; region: number } | undefined>(true);
    return undefined;
  },
  delete({ output, props }) {
    same<typeof output.arn, string>(true);
    same<typeof props.name, string>(true);
  },
  outputs: ({ props, output, physicalName }) => {
    same<typeof output, { arn: string; region: number } | undefined>(true);
    return { ...output, arn: `${physicalName}${props.name}` };
  },
  replaceOn: ["name"],
});
same<typeof Bucket, ResourceType<{ arn: string; region: number }, { readonly name: string }>>(true);

// Explicit types.
const Queue = Resource<{ url: string }, { fifo?: boolean }>("types:Queue", {
  create: ({ props }) => ({ url: String(props.fifo) }),
});
// @ts-expect-error There is no such prop.
Resource<{ url: string }, { fifo?: boolean }>("types:Prop", { create: () => ({ url: "" }), replaceOn: ["name"] });
// @ts-expect-error The output is not what was said.
Resource<{ url: string }, { fifo?: boolean }>("types:Output", { create: () => ({ uri: "" }) });
const Named: HandlersDefinition<number, object> = { create: () => 7 };
same<typeof Seven, ResourceType<number, object>>(true);
const Seven = Resource("types:Seven", Named);

// A schema: declarations have its input type, handlers its output type.
declare const schema: StandardSchema<{ port?: number }, { port: number }>;
const Server = Resource("types:Server", {
  schema,
  create: ({ props }) => {
    same<typeof props, { port: number }>(true);
    return { url: `http://localhost:${props.port}` };
  },
});
same<typeof Server, ResourceType<{ url: string }, { port?: number }>>(true);

// A simulated resource has the same props and outputs.
Resource("types:Simulated", {
  create: () => ({ url: "https://example.com" }),
  local: {
    create: ({ local }) => ({ url: `http://localhost/${local}` }),
    outputs: () => ({ url: "http://localhost" }),
    delete: ({ output }) => void output.url,
  },
});
Resource("types:Unlike", {
  create: () => ({ url: "https://example.com" }),
  // @ts-expect-error What is simulated has no url.
  local: { create: () => ({ port: 80 }) },
});
// @ts-expect-error A local scope needs at least a create.
Resource("types:Uncreated", { create: () => ({ url: "" }), local: { delete: () => {} } });

declare const promised: Promise<string>;
declare const maybe: string | undefined;

export async function outputs(): Promise<void> {
  const pending = File("index", { path: "index.html" });
  same<typeof pending, PendingResource<FileOutput>>(true);
  const file = await pending;
  same<typeof file, FileOutput>(true);
  const bucket = await Bucket("logs", { name: file.path }, { adopt: true, dependsOn: [pending, file] });
  same<typeof bucket, { arn: string; region: number }>(true);
  // @ts-expect-error There is no such output.
  file.url;
  const [one, two] = await Promise.all([Queue("a"), Server("b")]);
  same<typeof one, { url: string }>(true);
  same<typeof two, { url: string }>(true);
}

export function props(): void {
  // Promises at any depth, and undefined on optional members.
  File("a", { path: promised, content: maybe, tags: [{ key: promised, value: Promise.resolve(1) }] });
  File("a", Promise.resolve({ path: "x" }));
  File("a", { path: File("b", { path: "y" }).then(({ path }) => path), tags: Promise.resolve([]) });
  Bucket(
    "a",
    Promise.resolve({ name: promised }).then(({ name }) => ({ name: `${name}` })),
  );
  // @ts-expect-error A pending resource is not its path.
  File("a", { path: File("b", { path: "y" }) });
  // @ts-expect-error The path is missing.
  File("a", {});
  // @ts-expect-error The path is a string.
  File("a", { path: 7 });
  // @ts-expect-error The path is not optional.
  File("a", { path: maybe });
  // @ts-expect-error There is no such prop.
  File("a", { path: "x", contents: "" });
  // @ts-expect-error A promise of something else.
  File("a", { path: Promise.resolve(7) });
  // @ts-expect-error A value of a tag is a number.
  File("a", { path: "x", tags: [{ key: "k", value: "7" }] });
  // @ts-expect-error Props are not optional here.
  File("a");
  // @ts-expect-error The id is missing.
  File();
  // @ts-expect-error There is no such option.
  File("a", { path: "x" }, { protekt: true });
}

export function optionalProps(): void {
  Queue("a");
  Queue("a", {});
  Queue("a", { fifo: undefined });
  Queue("a", undefined, { adopt: true });
  Server("a");
  Seven("a");
  // @ts-expect-error The port is a number.
  Server("a", { port: "8080" });
}

// @ts-expect-error A definition without create.
Resource("types:None", { update: () => 1 });
// @ts-expect-error A kind is a string.
Resource(7, { create: () => 1 });
// @ts-expect-error A kind is needed.
Resource(undefined, { create: () => 1 });

// An arrow function has no `this`, so it cannot see its phase.
// @ts-expect-error With its parameters declared.
Resource("types:Arrow", async (id: string, props: { readonly size: number }) => ({ id, ...props }));
// @ts-expect-error With nothing declared.
Resource("types:Arrow", async (id) => ({ id }));
// @ts-expect-error Without parameters.
Resource("types:Arrow", () => ({ made: true }));
// @ts-expect-error A function that does not ask for its phase runs its create as its delete.
Resource("types:Deaf", async (id: string) => ({ id }));
// Where all is given, nothing is inferred of a function: an arrow function is refused when it is defined.
same<typeof Given, ResourceType<{ size: number }, { size: number }>>(true);
const Given = Resource<{ size: number }, { size: number }>("types:Given", async function (_id, { size }) {
  return this.phase === "delete" ? this.destroy() : { size };
});

// A mistake in the long form is reported at its place, not as if a function had been meant.
Resource("types:Misspelt", {
  create: () => ({ url: "" }),
  // @ts-expect-error It is called update.
  udpate: () => ({ url: "" }),
});
