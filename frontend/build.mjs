// Builds the page and the studio into the Python package: page.js, page.css, studio.js, studio.css
// and the notices of what is in them.
// `node build.mjs FOLDER` writes to another folder, for the test that compares.
import { readFileSync, writeFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const target = process.argv[2] ?? "../src/rocwise/reporting/assets";
const result = await build({
  entryPoints: { page: "src/main.tsx", studio: "src/studio/main.tsx" },
  outdir: target,
  bundle: true,
  minify: true,
  legalComments: "none",
  metafile: true,
  target: ["es2022"],
  format: "iife",
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "utf8",
  logLevel: "warning",
});

const packages = new Set();
for (const path of Object.keys(result.metafile.inputs)) {
  const found = path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//);
  if (found) packages.add(found[1]);
}
const notices = [...packages].sort().map((name) => {
  const folder = join("node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : "";
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
});
const rule = `\n${"-".repeat(72)}\n\n`;
writeFileSync(join(target, "THIRD_PARTY_NOTICES.txt"), notices.join(rule));

const script = join(target, "page.js");
const code = readFileSync(script, "utf8");
// it stands inside a script element: nothing in it may end that element
writeFileSync(script, code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--"));
