/** A program with resources to destroy. */
export const twoFiles = `
import { engine } from "scope-engine";
import { File } from "scope-engine/resources";

const app = await engine("site");
await File("one", { path: "one.txt", content: "1" });
await File("two", { path: "two.txt", content: "2" });
await app.finalize();
console.log("end of the program");
`;
