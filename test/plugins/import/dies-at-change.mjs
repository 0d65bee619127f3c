/**
 * Loaded before a program: kills its process just before change number DIE_AT, or runs the shell command in AT_CHANGE
 * then. Changes are calls of node:fs that change a file, and writes to a socket.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";

const { DIE_AT, AT_CHANGE } = process.env;
// Not for processes that the program starts.
delete process.env.DIE_AT;
delete process.env.AT_CHANGE;
delete process.env.NODE_OPTIONS;

const { O_CREAT, O_RDWR, O_WRONLY } = fs.constants;
let changes = 0;

function patch(owner, name, isChange = () => true) {
  const original = owner[name];
  owner[name] = function (...args) {
    if (isChange.call(this, args) && ++changes === Number(DIE_AT)) act();
    return original.apply(this, args);
  };
}

function act() {
  if (AT_CHANGE === undefined) process.kill(process.pid, "SIGKILL");
  else execFileSync("/bin/sh", ["-c", AT_CHANGE]);
}

function opensToWrite([, flags]) {
  return typeof flags === "number" ? (flags & (O_CREAT | O_RDWR | O_WRONLY)) !== 0 : /[wa+]/.test(flags ?? "r");
}

/** Without the standard streams. */
const isFile = ([descriptor]) => descriptor > 2;

/** Not for pipes. The first request of a client may wait for the connection. */
function isOfNetwork() {
  return this.connecting || this.remoteAddress !== undefined;
}

const byPath = ["appendFile", "chmod", "copyFile", "link", "mkdir", "rename", "rm", "rmdir", "symlink", "truncate"];
for (const name of [...byPath, "unlink", "writeFile"]) {
  patch(fs, name);
  patch(fs, `${name}Sync`);
  patch(fs.promises, name);
}
for (const name of ["ftruncate", "write", "writev"]) {
  patch(fs, name, isFile);
  patch(fs, `${name}Sync`, isFile);
}
patch(fs, "open", opensToWrite);
patch(fs, "openSync", opensToWrite);
patch(fs.promises, "open", opensToWrite);
const handle = await fs.promises.open(import.meta.filename);
const handles = Object.getPrototypeOf(handle);
await handle.close();
for (const name of ["appendFile", "truncate", "write", "writeFile", "writev"]) patch(handles, name);
for (const name of ["_write", "_writev"]) patch(Socket.prototype, name, isOfNetwork);
syncBuiltinESMExports();
