/** A program with a resource that needs another one. */
export const fileInFolder = `
import { engine } from "scope-engine";
import { File, Folder } from "scope-engine/resources";

const app = await engine("site");
const site = await Folder("site", { path: "out" });
await File("index", { path: site.path + "/index.html", content: "x" }, { dependsOn: [site] });
await app.finalize();
`;
