/** What the codec says about values that state cannot hold: where it is, what was found, what to do. */
import { types } from "node:util";
import { EngineError, messageOf } from "../base/index.js";
import { nameOf } from "./builtin.js";
import { maxDepth, type Path, readablePath } from "./path.js";

/** What marks a secret, of every copy of the package. */
const SECRET = Symbol.for("scope-engine/secret");

export function unknownType(path: Path, value: object | symbol): EngineError {
  if (typeof value === "symbol") {
    return refusal(
      path,
      `the unregistered symbol ${String(value)}`,
      "Use Symbol.for(key), which other runs find again.",
    );
  }
  if (typeof value === "function") {
    const name = nameOf(value);
    const found = name === undefined ? "a function" : `the function "${name}"`;
    return refusal(path, found, "Pass what it returns, or leave it out.");
  }
  if (types.isPromise(value)) return refusal(path, "a promise", "Await it first.");
  if (SECRET in value) {
    return refusal(
      path,
      "a secret",
      'This engine has no plugin that encrypts it: pass { plugins: [secrets()], password } to createTestApp() or createEngine(), with secrets from "scope-engine/plugins/secrets"; or take engine of scope-engine, which has it.',
    );
  }
  const name = nameOf(value) ?? "a class without a name";
  return refusal(
    path,
    `an instance of ${name}`,
    "Pass a plain object with what it holds, or let a plugin encode this type (hooks encodeValue, decodeValue).",
  );
}

export function symbolKey(path: Path, key: symbol): EngineError {
  return refusal(
    path,
    `an object or an array with a member under ${String(key)}`,
    "Use string keys, or make that member not enumerable.",
  );
}

export function memberOfArray(path: Path): EngineError {
  return refusal(
    path,
    "a member of an array, and none of its elements",
    "Copy the elements ([...array]), or use an object.",
  );
}

/** @param ancestor where the same object has been met, on the way to `path` */
export function cycle(path: Path, ancestor: Path): EngineError {
  return refusal(
    path,
    `the object that it is a part of, ${readablePath(ancestor)}`,
    "Refer to that object by a name or an id.",
  );
}

export function tooDeep(path: Path): EngineError {
  return refusal(
    path,
    `a value more than ${maxDepth} levels deep`,
    "Make it flatter, e.g. an array of items that refer to each other by id.",
  );
}

/** A getter or a proxy threw while it was read. */
export function unreadable(path: Path, cause: unknown): EngineError {
  const message = `Cannot record ${readablePath(path)}: reading it failed: ${messageOf(cause)}`;
  return new EngineError("UNSERIALIZABLE", message, { cause });
}

function refusal(path: Path, found: string, advice: string): EngineError {
  return new EngineError("UNSERIALIZABLE", `Cannot record ${readablePath(path)}: it is ${found}. ${advice}`);
}
