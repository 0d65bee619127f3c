/**
 * Runs a stage with a password and a cheap derivation, and prints the costs of all derivations of the process. APP
 * names the app, SHIFT moves the clock by milliseconds, and ROTATE gives a new password, or `rekey`.
 */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { fsStore } from "../../../adapters/fs/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { stageAdmin } from "../../../plugins/admin/index.js";
import { createEngine } from "../../../plugins/engine/index.js";
import { envOptions } from "../../../plugins/env-options/index.js";
import { Resource, Secret } from "../../../plugins/index.js";
import { secrets } from "../../../plugins/secrets/index.js";

const { APP: app = "kept", SHIFT = "0", ROTATE: rotate, SCOPE_PASSWORD: scopePassword } = process.env;
const cost = 2 ** 14;

const derived: unknown[] = [];
const { scrypt } = crypto;
crypto.scrypt = (...args: unknown[]) => {
  derived.push(Object(args[3]).N);
  return Reflect.apply(scrypt, crypto, args);
};
syncBuiltinESMExports();
const { now } = Date;
Date.now = () => now() + Number(SHIFT);

const Thing = Resource<object, { readonly token: Secret }>("e2e:KeptThing", {
  create: () => ({}),
  update: () => ({}),
  delete: () => {},
});

const warnings: string[] = [];
const stateStore = fsStore({ root: `${process.cwd()}/state` });

async function up(): Promise<unknown> {
  const listening = definePlugin({
    name: "listening",
    apply: ({ events }) => events.on("warning", ({ code, message }) => void warnings.push(`${code} ${message}`)),
  });
  const engine = createEngine({ plugins: [listening, envOptions(), secrets({ cost })] });
  const run = await engine(app, { stage: "dev", stateStore, argv: [] });
  await Thing("thing", { token: new Secret("a token", "token") });
  if (scopePassword) await engine.run("tenant", { password: scopePassword }, (scope) => scope.set("of", new Secret(1)));
  await run.finalize();
  return "done";
}

async function change(): Promise<unknown> {
  const admin = stageAdmin(stateStore, { app, stage: "dev" });
  return rotate === "rekey" ? admin.rekey({ cost }) : admin.rotate({ cost, newPassword: String(rotate) });
}

const outcome = await (rotate ? change() : up()).catch(({ code, message }: { code?: string; message: string }) => ({
  code,
  message,
}));
process.stdout.write(JSON.stringify({ outcome, derived, warnings }));
