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
    default:
      return undefined;
  }
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

function outside(path: string): { readonly outside?: true } {
  return isAbsolute(path) || path.startsWith("..") ? { outside: true } : {};
}
