/** Prints the parts of the provider `thing` that programs use; its module is the first argument. */
import { usedInProgram } from "../../../plugins/cli/providers/program-uses.js";

const [module = "", ...entries] = process.argv.slice(2);
process.stdout.write(JSON.stringify(entries.map((entry) => usedInProgram(entry, module, "thing"))));
