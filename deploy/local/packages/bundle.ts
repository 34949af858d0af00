import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { REPOSITORY } from '../folders.ts'

// node bundle.ts <folder>: a module for each entry point of packages of many small modules, and use.mjs, which makes a
// process that imports it first load those modules.
const PACKAGES = ['typebox', 'kysely']
const [folder = ''] = process.argv.slice(2)

const entries = PACKAGES.flatMap((name) => {
  const manifest: unknown = JSON.parse(readFileSync(join(REPOSITORY, 'node_modules', name, 'package.json'), 'utf8'))
  return entryPointsOf(manifest).map((path) => join(name, path))
})
await build({
  cwd: REPOSITORY,
  input: Object.fromEntries(entries.map((entry) => [entry, entry])),
  platform: 'node',
  treeshake: false,
  logLevel: 'warn',
  output: { dir: folder, entryFileNames: '[name].mjs', chunkFileNames: 'shared/[name].mjs' },
})
writeFileSync(
  join(folder, 'use.mjs'),
  `import { registerHooks } from 'node:module'
const bundled = new Set(${JSON.stringify(entries)})
registerHooks({
  resolve: (name, context, next) =>
    bundled.has(name) && context.conditions.includes('import')
      ? { url: new URL(\`./\${name}.mjs\`, import.meta.url).href, format: 'module', shortCircuit: true }
      : next(name, context),
})
`,
)

function entryPointsOf(manifest: unknown): string[] {
  const exports = typeof manifest === 'object' && manifest !== null && 'exports' in manifest ? manifest.exports : {}
  return typeof exports === 'object' && exports !== null ? Object.keys(exports) : []
}
