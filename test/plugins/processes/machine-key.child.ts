/** Prints the key of the machine. */
import { machineKey } from "../../../plugins/processes/kept/machine-key.js";

process.stdout.write(machineKey().key);
