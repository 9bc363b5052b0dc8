// Builds the pages: `node build.mjs DIRECTORY`, or their tests: `node build.mjs --tests DIRECTORY`.
// The same sources give the same bytes: nothing of the machine goes into the output.

import { readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const PAGES = ["timeline", "present"];
const common = { absWorkingDir: here, bundle: true, logLevel: "warning", target: "es2022" };

async function buildPages(directory) {
  const entryPoints = PAGES.flatMap((page) => [`src/${page}/main.ts`, `src/${page}/page.css`]);
  for (const entry of entryPoints) {
    const [, page, file] = entry.split("/");
    await build({
      ...common,
      entryPoints: [entry],
      outfile: join(directory, `${page}${file.endsWith(".css") ? ".css" : ".js"}`),
      format: "iife",
      minify: true,
      charset: "ascii",
      legalComments: "none",
    });
  }
}

async function buildTests(directory) {
  rmSync(resolve(here, directory), { recursive: true, force: true });
  const tests = readdirSync(join(here, "test")).filter((name) => name.endsWith(".test.ts"));
  await build({
    ...common,
    entryPoints: tests.sort().map((name) => `test/${name}`),
    outdir: directory,
    format: "esm",
    platform: "node",
    outExtension: { ".js": ".mjs" },
    sourcemap: "inline",
  });
}

const [first, second] = process.argv.slice(2);
if (first === "--tests" && second) await buildTests(second);
else if (first && !second) await buildPages(first);
else {
  console.error("usage: node build.mjs DIRECTORY | node build.mjs --tests DIRECTORY");
  process.exit(2);
}
