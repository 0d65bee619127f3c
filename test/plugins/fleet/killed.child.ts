/** Conducts a fleet until it is killed: `killed ORDER`. */
import { killedFleet, type Order } from "./killed-fleet.js";

const report = await killedFleet(JSON.parse(process.argv[2] ?? "") as Order).up();
process.stdout.write(`${JSON.stringify(report)}\n`);
