/** A program with one file, like that of a user who tries commands. */

/** The program without its last line. */
export const begun = `
import { engine } from "scope-engine";
import { File } from "scope-engine/resources";

const app = await engine("site");
await File("index", { path: "index.html", content: process.env.TEXT ?? "hello" });
`;

export const site = `${begun}await app.finalize();\n`;
