import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { serveFolder, type ServedFolder } from './serve-folder.ts'

const ROOT_DIR = join(import.meta.dirname, '..', '..', '..')
/** Folder for these tools, which are not dependencies of this repository. */
const TOOL_DIR = join(ROOT_DIR, '.tapeline', 'tools', 'api-references')
const INSTALL_TIMEOUT_MS = 600_000
const DOCUMENT = 'openapi.json'

type Rival = { name: string; version: string; files: Record<string, string>; html: string; element: string }

/** Pages built according to the documentation of each tool. */
const RIVALS: Rival[] = [
  {
    name: 'swagger-ui-dist',
    version: '5.35.0',
    files: { 'swagger-ui-bundle.js': 'swagger-ui-bundle.js', 'swagger-ui.css': 'swagger-ui.css' },
    html: `<link rel="stylesheet" href="swagger-ui.css"><div id="reference"></div><script src="swagger-ui-bundle.js"></script>
      <script>SwaggerUIBundle({ url: '${DOCUMENT}', dom_id: '#reference' })</script>`,
    element: '#reference',
  },
  {
    name: 'redoc',
    version: '3.0.1',
    files: { 'bundles/redoc.standalone.js': 'redoc.standalone.js' },
    html: `<redoc spec-url="${DOCUMENT}" disable-telemetry="true"></redoc><script type="module" src="redoc.standalone.js"></script>`,
    element: 'redoc',
  },
  {
    name: '@scalar/api-reference',
    version: '1.72.1',
    files: { 'dist/browser/standalone.js': 'standalone.js' },
    html: `<div id="reference"></div><script src="standalone.js"></script>
      <script>Scalar.createApiReference('#reference', { url: '${DOCUMENT}' })</script>`,
    element: '#reference',
  },
]

export type ServedRival = { name: string; url: string; element: string }

/** Renders the same OpenAPI document with other tools; tools that cannot be installed are omitted. */
export async function serveRivals(): Promise<ServedFolder & { rivals: ServedRival[] }> {
  mkdirSync(TOOL_DIR, { recursive: true })
  const there = []
  for (const rival of RIVALS) if (await isInstalled(rival)) there.push(rival)
  for (const rival of there) writePage(rival)
  const served = await serveFolder(join(TOOL_DIR, 'pages'))
  const rivals = there.map(({ name, version, element }) => ({
    name: `${name} ${version}`,
    url: `${served.url}/${folderOf(name)}/`,
    element,
  }))
  return { ...served, rivals }
}

/** Installs only the package itself, which bundles everything that a browser needs. */
async function isInstalled({ name, version }: Rival): Promise<boolean> {
  const folder = packageOf({ name, version })
  if (existsSync(join(folder, 'package.json'))) return true
  const packageName = `${name}@${version}`
  try {
    const args = ['pack', packageName, '--silent', '--ignore-scripts', '--pack-destination', TOOL_DIR]
    const { stdout } = await promisify(execFile)('npm', args, { timeout: INSTALL_TIMEOUT_MS })
    mkdirSync(folder, { recursive: true })
    const archive = join(TOOL_DIR, stdout.trim())
    await promisify(execFile)('tar', ['-xzf', archive, '-C', folder, '--strip-components', '1'])
    rmSync(archive)
    return true
  } catch (error) {
    console.log(`without ${packageName}, which cannot be fetched: ${String(error)}`)
    return false
  }
}

function packageOf({ name, version }: Pick<Rival, 'name' | 'version'>): string {
  return join(TOOL_DIR, `${folderOf(name)}-${version}`)
}

function writePage({ name, version, files, html }: Rival): void {
  const folder = join(TOOL_DIR, 'pages', folderOf(name))
  mkdirSync(folder, { recursive: true })
  for (const [from, to] of Object.entries(files)) {
    copyFileSync(join(packageOf({ name, version }), from), join(folder, to))
  }
  copyFileSync(join(ROOT_DIR, 'gateway', 'golden', 'openapi.json'), join(folder, DOCUMENT))
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${name}</title>`
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><html lang="en"><head>${head}</head><body>${html}</body></html>`,
  )
}

function folderOf(name: string): string {
  return name.replaceAll(/\W+/g, '-')
}
