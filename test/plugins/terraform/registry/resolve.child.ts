/** Resolves a provider of a lock file into a cache, and prints its path. */
import { resolveProvider } from "../../../../plugins/terraform/registry/index.js";

const [lockFile = "", source = "", root = ""] = process.argv.slice(2);
process.stdout.write(`${await resolveProvider(lockFile, source, { root })}\n`);
