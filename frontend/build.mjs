// Builds the page and the studio into the Python package: page.js, page.css, studio.js, studio.css
// and the notices of what is in them.
// `node build.mjs FOLDER` writes to another folder, for the test that compares.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { build, transform } from "esbuild";

/** A dictionary as a list in the order of the English one, whose keys it has: a third shorter. */
async function withoutKeys({ path }) {
  const { code } = await transform(readFileSync(path, "utf8"), { loader: "ts" });
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const [[name, texts]] = Object.entries(module);
  const { code: english } = await transform(readFileSync(path.replace(/\w+\.ts$/, "en.ts"), "utf8"), { loader: "ts" });
  const { en } = await import(`data:text/javascript,${encodeURIComponent(english)}`);
  if (Object.keys(texts).join() !== Object.keys(en).join()) throw new Error(`${name}.ts has other keys than en.ts`);
  return { loader: "ts", contents: `import { sameKeys } from "./keys";\nexport const ${name} = sameKeys(${JSON.stringify(Object.values(texts))});\n` };
}

const target = process.argv[2] ?? "../src/rocwise/reporting/assets";
const result = await build({
  entryPoints: { page: "src/main.tsx", studio: "src/studio/main.tsx" },
  outdir: target,
  bundle: true,
  minify: true,
  legalComments: "none",
  alias: { "d3-interpolate": "./src/charts/numbers_between.ts", "d3-format": "./src/charts/no_format.ts" },
  plugins: [{ name: "dictionaries", setup: (building) => building.onLoad({ filter: /text\/(de|fr|es|zh)\.ts$/ }, withoutKeys) }],
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

// Checksums of what it was built from and of what came out: a test without Node compares them.
const checksum = (texts) => texts.reduce((sum, text) => sum.update(text), createHash("sha256")).digest("hex");
const sources = readdirSync("src", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).replaceAll("\\", "/"));
const inputs = [...sources, "build.mjs", "package-lock.json"].sort();
const made = ["THIRD_PARTY_NOTICES.txt", "page.css", "page.js", "studio.css", "studio.js"];
const lines = [
  `${checksum(inputs.flatMap((name) => [name, "\0", readFileSync(name), "\0"]))}  frontend`,
  ...made.map((name) => `${checksum([readFileSync(join(target, name))])}  ${name}`),
];
writeFileSync(join(target, "checksums.txt"), `${lines.join("\n")}\n`);
