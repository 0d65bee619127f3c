/** The source file of a page, and the address at which it can be edited. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const { repository } = JSON.parse(readFileSync("package.json", "utf8"));

/** The file from the root of the project; undefined for a page made from several files. */
export function sourceOf({ model, project, url }) {
  if (url === "index.html") return "docs/pages/home.md";
  if (model.isProject()) return undefined;
  const path = model.isDocument() ? project.files.getReflectionPath(model) : symbolFile(project, model);
  return path && relative(process.cwd(), path).replaceAll("\\", "/");
}

function symbolFile(project, model) {
  const id = project.getSymbolIdFromReflection(model);
  return id && !id.fileName.includes("node_modules") ? id.fileName : undefined;
}

/** From `repository` of package.json, or else from the GitHub workflow that builds the site. */
export function editAddress(source, env = process.env) {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = env;
  const given = typeof repository === "string" ? repository : repository?.url;
  const root = given?.replace(/^git\+/, "").replace(/\.git$/, "") ?? (server && name ? `${server}/${name}` : undefined);
  return root && `${root}/edit/main/${source}`;
}
