import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { dataFolder, REPOSITORY } from '../local/folders.ts'
import type { Docker } from './docker.ts'
import type { Image } from './images.ts'

export type Sbom = {
  bomFormat: string
  components: { 'bom-ref': string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

const TIMEOUT_MS = 300_000
const OUTPUT_BYTES_MAX = 64_000_000
const LIST = `const { globSync, readFileSync, lstatSync } = require('node:fs')
const found = globSync('node_modules/{*,@*/*}/package.json').concat(globSync('node_modules/**/node_modules/{*,@*/*}/package.json'))
for (const file of found) {
  if (lstatSync(file.replace('/package.json', '')).isSymbolicLink()) continue
  const { name, version } = JSON.parse(readFileSync(file, 'utf8'))
  if (name && version) console.log(name + '@' + version)
}`

/** A CycloneDX list of what the image is made of: npm's list of everything, less what is not installed in it. */
export async function writeSbom(docker: Docker, { tag }: Image): Promise<string> {
  const sbom = await allComponents()
  const installed = new Set((await docker(['run', '--rm', '--network', 'none', tag, 'node', '-e', LIST])).split('\n'))
  const ofImage = onlyInstalled(sbom, installed)
  const file = join(dataFolder(), 'sbom.cdx.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(ofImage, null, 2))
  return `${ofImage.components.length} components, ${file}`
}

/** npm's CycloneDX list of everything in the lock file. */
export async function allComponents(): Promise<Sbom> {
  // Not --omit=dev: npm then leaves out what a service needs and the root has among its tools.
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  const options = { cwd: REPOSITORY, timeout: TIMEOUT_MS, maxBuffer: OUTPUT_BYTES_MAX }
  const { stdout } = await promisify(execFile)('npm', args, options)
  const sbom = JSON.parse(stdout) as Sbom
  if (sbom.bomFormat !== 'CycloneDX') throw new Error(`npm wrote the format ${sbom.bomFormat}`)
  return sbom
}

/** Throws if an installed package is not listed. */
export function onlyInstalled(sbom: Sbom, installed: ReadonlySet<string>): Sbom {
  const named = new Set(sbom.components.map((one) => one['bom-ref']))
  const unnamed = [...installed].filter((one) => one !== '' && !named.has(one))
  if (unnamed.length > 0) throw new Error(`installed, and not in the list: ${unnamed.join(', ')}`)
  const isThere = (ref: string) => installed.has(ref) || ref.startsWith('@tapeline/') || !named.has(ref)
  return {
    ...sbom,
    components: sbom.components.filter((one) => isThere(one['bom-ref'])),
    dependencies: sbom.dependencies
      .filter(({ ref }) => isThere(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isThere) })),
  }
}
