import { copyFileSync, cpSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { REPOSITORY } from '../local/folders.ts'
import { runOnce } from '../local/processes/run-once.ts'
import { hasHelm, HELM_MISSING, packageChart } from '../manifests/chart/render-chart.ts'
import { OVERLAYS, render } from '../manifests/render.ts'
import { type Docker, findDocker } from '../verify/docker.ts'
import { buildImage, NODE_IMAGE, WEB_IMAGE } from '../verify/images.ts'
import { allComponents } from '../verify/sbom.ts'

export type Build = { dir: string; version: string }
/** `publish`: the commands that publish these files, to be run in the folder of the release. */
export type Artifact = { files: string[]; publish: string[] }
/** The program that builds an artifact is missing on this machine. */
export class CannotBuild extends Error {}

const COMMAND_TIMEOUT_MS = 600_000
const LINES_SHOWN = 15
const NPM_PACKAGES = ['libs/sdk', 'libs/cli', 'libs/mcp']
const PYTHON_BACKEND = 'hatchling==1.33.0'

/** In the order in which they are built; each writes its files into the folder of the release. */
export const ARTIFACTS: Record<string, (build: Build) => Promise<Artifact>> = {
  'source archive': packSource,
  'npm packages': packNpmPackages,
  'Python package': packPythonPackage,
  'Kubernetes manifests': renderManifests,
  'Helm chart': packChart,
  'OpenAPI document': copyDocument,
  SBOM: writeComponents,
  'container images': saveImages,
}

async function packSource({ dir, version }: Build): Promise<Artifact> {
  const file = `tapeline-source-${version}.tar.gz`
  await run('git', ['archive', '--format=tar.gz', `--prefix=tapeline-${version}/`, '-o', join(dir, file), 'HEAD'])
  return { files: [file], publish: [] }
}

async function packNpmPackages({ dir }: Build): Promise<Artifact> {
  const before = new Set(readdirSync(dir))
  for (const folder of NPM_PACKAGES) {
    await run('npm', ['pack', '--silent', '--pack-destination', dir], { cwd: join(REPOSITORY, folder) })
  }
  const files = readdirSync(dir).filter((file) => !before.has(file))
  return { files, publish: files.map((file) => `npm publish --access public ${file}`) }
}

/** A wheel and an sdist, built from a copy, so that nothing is left in the sources. */
async function packPythonPackage({ dir }: Build): Promise<Artifact> {
  const copy = mkdtempSync(join(tmpdir(), 'tapeline-release-'))
  try {
    const result = await runOnce('python3', ['-m', 'venv', join(copy, 'venv')], { timeoutMs: COMMAND_TIMEOUT_MS })
    if (result.code !== 0) throw new CannotBuild(`python3 with venv is needed: ${result.output.trim()}`)
    const python = join(copy, 'venv', 'bin', 'python')
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PYTHON_BACKEND])
    cpSync(join(REPOSITORY, 'libs/sdk-python'), join(copy, 'source'), { recursive: true })
    await run(python, ['-m', 'hatchling', 'build', '-d', join(copy, 'dist')], { cwd: join(copy, 'source') })
    const files = readdirSync(join(copy, 'dist'))
    for (const file of files) copyFileSync(join(copy, 'dist', file), join(dir, file))
    return { files, publish: [`python3 -m twine upload ${files.join(' ')}`] }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

async function renderManifests({ dir }: Build): Promise<Artifact> {
  const files = OVERLAYS.map((overlay) => {
    const file = `kubernetes-${overlay}.yaml`
    writeFileSync(join(dir, file), render(overlay))
    return file
  })
  return { files, publish: [] }
}

/** Renamed, because `tapeline-<version>.tgz` does not show which archive it is. */
async function packChart({ dir, version }: Build): Promise<Artifact> {
  if (!hasHelm()) throw new CannotBuild(HELM_MISSING)
  const file = `tapeline-chart-${version}.tgz`
  renameSync(join(dir, packageChart(dir)), join(dir, file))
  return { files: [file], publish: [`helm push ${file} oci://<registry>/charts`] }
}

async function copyDocument({ dir }: Build): Promise<Artifact> {
  copyFileSync(join(REPOSITORY, 'gateway/golden/openapi.json'), join(dir, 'openapi.json'))
  return { files: ['openapi.json'], publish: [] }
}

async function writeComponents({ dir }: Build): Promise<Artifact> {
  writeFileSync(join(dir, 'sbom.cdx.json'), JSON.stringify(await allComponents(), null, 2))
  return { files: ['sbom.cdx.json'], publish: [] }
}

async function saveImages({ dir, version }: Build): Promise<Artifact> {
  const docker = await findDocker().catch((error: unknown): Docker => {
    throw new CannotBuild(error instanceof Error ? error.message : String(error))
  })
  const artifact: Artifact = { files: [], publish: [] }
  for (const image of [NODE_IMAGE, WEB_IMAGE]) {
    const tag = image.tag.replace(/:.*$/, `:${version}`)
    const file = `${tag.replaceAll(/[/:]/g, '-')}.tar`
    await buildImage(docker, { ...image, tag })
    await docker(['save', '--output', join(dir, file), tag], { timeoutMs: COMMAND_TIMEOUT_MS })
    artifact.files.push(file)
    artifact.publish.push(`docker load --input ${file} && docker push ${tag}`)
  }
  return artifact
}

async function run(command: string, args: string[], { cwd = REPOSITORY } = {}): Promise<void> {
  const { code, output } = await runOnce(command, args, { timeoutMs: COMMAND_TIMEOUT_MS, cwd })
  const end = output.trim().split('\n').slice(-LINES_SHOWN).join('\n')
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${end}`)
}
