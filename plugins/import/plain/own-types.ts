/** Types of Alchemy that the engine has, too. */
import { isAbsolute } from "node:path";
import { Sensitive } from "../contract.js";

export interface OwnType {
  /** Exported by `scope-engine/resources`. */
  readonly functionName: string;
  readonly kind: string;
  readonly props: Readonly<Record<string, unknown>>;
  /** Recorded output; undefined if the type reads it when it adopts the resource. */
  readonly output?: Readonly<Record<string, unknown>>;
  /** Members that other resources may refer to. */
  readonly offers: ReadonlyMap<string, unknown>;
}

type Members = Readonly<Record<string, unknown>>;

const ALPHABETS: Readonly<Record<string, string>> = {
  hex: "0123456789abcdef",
  base64: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=",
};

/** Returns undefined for a type, or a use of it, that the engine has no type for. */
export function ownType(type: string, props: unknown, output: unknown): OwnType | undefined {
  const [given, recorded]: readonly Members[] = [Object(props), Object(output)];
  switch (type) {
    case "fs::File":
      return file(recorded ?? {});
    case "fs::Folder":
      return folder(given ?? {}, recorded ?? {});
    case "random::String":
      return randomString(recorded ?? {});
    case "os::Exec":
      return command(given ?? {}, recorded ?? {});
    default:
      return undefined;
  }
}

/** Returns what to do about a type that the engine has for other uses; undefined for all others. */
export function otherUse(type: string): string | undefined {
  return type === "os::Exec"
    ? "It ran in each deployment or after changes of files; Command of scope-engine/resources runs after changes of its props and files. If this is right, declare a Command in its place."
    : undefined;
}

function file({ path, content }: Members): OwnType | undefined {
  if (typeof path !== "string" || typeof content !== "string") return undefined;
  const offers = new Map([["path", path]]);
  return { functionName: "File", kind: "fs:File", props: { path, content, ...outside(path) }, offers };
}

/** Alchemy's delete can remove the contents of a folder; the engine's never does. */
function folder({ clean }: Members, { path }: Members): OwnType | undefined {
  if (typeof path !== "string" || clean === true) return undefined;
  return {
    functionName: "Folder",
    kind: "fs:Folder",
    props: { path, ...outside(path) },
    output: { path, existed: false },
    offers: new Map([["path", path]]),
  };
}

function randomString({ value, encoding = "hex" }: Members): OwnType | undefined {
  const text = value instanceof Sensitive ? value.value : undefined;
  const alphabet = Object.hasOwn(ALPHABETS, String(encoding)) ? ALPHABETS[String(encoding)] : undefined;
  if (typeof text !== "string" || text === "" || alphabet === undefined) return undefined;
  return {
    functionName: "RandomString",
    kind: "random:String",
    props: { length: text.length, alphabet, secret: true },
    output: { value },
    offers: new Map([["value", value]]),
  };
}

/**
 * Without `memoize` it ran in each deployment, and with patterns after changes of files that no record proves. Alchemy
 * makes each white space of a command a single space.
 */
function command({ command, memoize, cwd = "", env = {} }: Members, { stdout = "", stderr = "" }: Members) {
  const isLine = typeof command === "string" && /^\S+(?: \S+)*$/.test(command);
  const values = Object.values(Object(env)).map((one) => (one instanceof Sensitive ? one.value : one));
  const isText = [cwd, stdout, stderr, ...values].every((one) => typeof one === "string");
  if (memoize !== true || !isLine || !isText) return undefined;
  return {
    functionName: "Command",
    kind: "os:Command",
    props: {
      command,
      ...(cwd === "" ? {} : { cwd, ...outside(String(cwd)) }),
      ...(values.length === 0 ? {} : { env }),
    },
    output: { exitCode: 0, stdout, stderr },
    offers: new Map(stdout === "" ? [] : [["stdout", stdout]]),
  };
}

function outside(path: string): { readonly outside?: true } {
  return isAbsolute(path) || path.startsWith("..") ? { outside: true } : {};
}
