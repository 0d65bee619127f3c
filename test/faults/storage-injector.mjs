/**
 * Loaded before a program: every call of node:fs below a folder is counted, and one of them can be made to fail. The
 * program finds the controls at `Symbol.for("storage-injector")`.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { resolve, sep } from "node:path";

const controls = { folder: undefined, failAt: 0, code: "EIO", lasting: false, calls: [], failed: undefined };
globalThis[Symbol.for("storage-injector")] = controls;

const READS = new Set(["readFile", "readdir", "readdir names", "stat", "statSync", "fstatSync", "close", "closeSync"]);
/** Paths of open descriptors. */
const opened = new Map();
/** Descriptors for which the disk has taken half a chunk, and will take no more. */
const full = new Set();

function isBelow(path) {
  return controls.folder !== undefined && (path === controls.folder || path.startsWith(controls.folder + sep));
}

function pathOf(target) {
  if (typeof target === "number") return opened.get(target);
  return typeof target === "string" ? resolve(target) : undefined;
}

/** The error that the call is to fail with, if it is. */
function fault(name, target) {
  const path = pathOf(target);
  if (path === undefined || !isBelow(path)) return undefined;
  controls.calls.push(`${name} ${path.slice(controls.folder.length)}`);
  const number = controls.calls.length;
  const isLater = controls.lasting && controls.failed !== undefined && !READS.has(name);
  if (number !== controls.failAt && !isLater) return undefined;
  controls.failed ??= controls.calls.at(-1);
  const { code } = controls;
  return Object.assign(new Error(`${code}: as the disk says, ${name} '${path}'`), { code, syscall: name, path });
}

/** Like a full disk, takes only a part of the written bytes. */
function half(buffer, offset, length) {
  return Math.max(1, Math.floor((length ?? buffer.length - (offset ?? 0)) / 2));
}

function wrapSync(name) {
  const original = fs[name];
  fs[name] = (...args) => {
    const error = fault(name, args[0]);
    if (error && !name.startsWith("close")) throw error;
    const result = original(...args);
    if (name === "openSync") opened.set(result, pathOf(args[0]));
    // A descriptor whose close fails is closed anyway.
    if (error) throw error;
    return result;
  };
}

const { writeSync } = fs;
fs.writeSync = (descriptor, buffer, offset, ...rest) => {
  const error = fault("writeSync", descriptor);
  if (!error)
    return full.has(descriptor)
      ? writeSync(descriptor, buffer, offset)
      : writeSync(descriptor, buffer, offset, ...rest);
  if (error.code !== "ENOSPC" || full.has(descriptor)) throw error;
  full.add(descriptor);
  // The caller continues with the rest, and then meets the end of the disk.
  controls.failAt = controls.calls.length + 1;
  return writeSync(descriptor, buffer, offset ?? 0, half(buffer, offset));
};

function wrapCallback(name) {
  const original = fs[name];
  const wrapper = (...args) => {
    const error = fault(name, args[0]);
    if (error) process.nextTick(args.at(-1), error);
    else original(...args);
  };
  // promisify uses members of the function.
  fs[name] = Object.defineProperties(wrapper, Object.getOwnPropertyDescriptors(original));
}

function wrapPromise(name) {
  const original = fs.promises[name];
  fs.promises[name] = async (...args) => {
    // Only a list asks for the types of entries; a sweep looks for names.
    const call = name === "readdir" && args[1] === undefined ? "readdir names" : name;
    const error = fault(call, args[name === "link" || name === "rename" ? 1 : 0]);
    if (error) throw error;
    const result = await original(...args);
    if (name === "open") wrapHandle(result, pathOf(args[0]));
    return result;
  };
}

function wrapHandle(handle, path) {
  for (const name of ["writeFile", "sync", "close"]) {
    const original = handle[name].bind(handle);
    handle[name] = async (value, ...rest) => {
      const error = fault(name, path);
      if (error && name === "writeFile" && error.code === "ENOSPC")
        await original(value.slice(0, half(value)), ...rest);
      if (!error || name === "close") await original(value, ...rest);
      if (error) throw error;
    };
  }
}

for (const name of ["openSync", "statSync", "fstatSync", "closeSync"]) wrapSync(name);
for (const name of ["write", "fdatasync"]) wrapCallback(name);
for (const name of ["open", "link", "unlink", "stat", "readdir", "readFile", "rename", "mkdir", "writeFile"]) {
  wrapPromise(name);
}
syncBuiltinESMExports();
