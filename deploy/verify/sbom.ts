import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataFolder, REPOSITORY } from '../local/folders.ts'
import { runOnce } from '../local/run-once.ts'
import type { Docker } from './docker.ts'
import type { Image } from './images.ts'

type Sbom = { bomFormat: string; components: { name: string; group?: string; version: string }[] }

const TIMEOUT_MS = 300_000
const LIST = `const { globSync, readFileSync, lstatSync } = require('node:fs')
const found = globSync('node_modules/{*,@*/*}/package.json').concat(globSync('node_modules/**/node_modules/{*,@*/*}/package.json'))
for (const file of found) {
  if (lstatSync(file.replace('/package.json', '')).isSymbolicLink()) continue
  const { name, version } = JSON.parse(readFileSync(file, 'utf8'))
  if (name && version) console.log(name + '@' + version)
}`

/** A CycloneDX list of what the image is made of; everything that is installed in it must be named there. */
export async function writeSbom(docker: Docker, { tag }: Image): Promise<string> {
  const args = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only']
  const { code, output } = await runOnce('npm', args, { timeoutMs: TIMEOUT_MS, cwd: REPOSITORY })
  if (code !== 0) throw new Error(`npm ${args.join(' ')}: ${output}`)
  const text = output.slice(output.indexOf('{'))
  const { bomFormat, components } = JSON.parse(text) as Sbom
  if (bomFormat !== 'CycloneDX') throw new Error(`it is ${bomFormat}`)
  const named = new Set(components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`))
  const installed = await docker(['run', '--rm', '--network', 'none', tag, 'node', '-e', LIST])
  const unnamed = installed.split('\n').filter((one) => one !== '' && !named.has(one))
  if (unnamed.length > 0) throw new Error(`in ${tag}, and not in the list: ${unnamed.join(', ')}`)
  const file = join(dataFolder(), 'sbom.cdx.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return `${components.length} components, ${file}`
}
