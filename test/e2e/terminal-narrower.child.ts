/** Shows a region, and repaints it in the same tick in which the terminal has become narrower. */
import { spawnSync } from "node:child_process";
import { standardRegion } from "../../plugins/internal/terminal/live-region.js";

const region = standardRegion();
let text = "first";
const leave = region.join({
  paint: ({ columns }) => [text, "x".repeat(200), "y".repeat(200)].map((line) => line.slice(0, columns - 1)),
  width: ({ length }) => length,
});
process.stdout.write("before\n");
region.update();
const columnsNow = (): number =>
  Number(
    spawnSync("stty", ["size"], { stdio: ["inherit", "pipe", "inherit"] })
      .stdout.toString()
      .split(" ")[1],
  );
const columns = columnsNow();
// Node cannot read the signal meanwhile.
while (columnsNow() === columns);
text = "second";
region.update();
setTimeout(leave, 500);
