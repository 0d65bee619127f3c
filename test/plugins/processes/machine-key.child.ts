/** Prints the key of the machine. */
import { machineKey } from "../../../plugins/processes/kept/record.js";

process.stdout.write(machineKey().key);
