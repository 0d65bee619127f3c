/** A program that makes a file, and prints its path. */
export const oneFile = `
import { engine } from "scope-engine";
import { File } from "scope-engine/resources";

const app = await engine("x", { stage: "t", argv: [], env: {} });
const file = await File("f", { path: "hello.txt", content: "hello" });
await app.finalize();
console.log(file.path);
`;
