import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { REPOSITORY } from '../local/folders.ts'
import { runOnce } from '../local/processes/run-once.ts'
import { ARTIFACTS, CannotBuild } from './artifacts.ts'
import { notesOf, notesOfDryRun, readVersions, versionOf } from './release-notes.ts'

// npm run release [-- --dry-run] [--into <folder>]: builds every artifact of a release; publishing is a manual step.
const { values } = parseArgs({
  options: {
    /** Takes the unreleased notes if there are some, allows uncommitted changes, and leaves out what this machine cannot build. */
    'dry-run': { type: 'boolean', default: false },
    into: { type: 'string', default: '.tapeline/release' },
  },
})
const isDryRun = values['dry-run']
const dir = resolve(REPOSITORY, values.into)
const GIT_TIMEOUT_MS = 60_000

try {
  const version = versionOf(readVersions())
  const changelog = readFileSync(join(REPOSITORY, 'CHANGELOG.md'), 'utf8')
  const notes = isDryRun ? notesOfDryRun(changelog, version) : notesOf(changelog, version)
  if (!isDryRun) await checkRepository(version)
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'NOTES.md'), notes)
  const { files, publish } = await buildAll(version)
  writeChecksums(['NOTES.md', ...files])
  console.log(`version ${version}: ${files.length + 2} files in ${dir}`)
  if (!isDryRun) {
    const tag = `git tag --annotate v${version} --file NOTES.md && git push origin v${version}`
    console.log(['Publish from that folder with:', tag, ...publish].join('\n  '))
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** A release is built from a commit without uncommitted changes, and each version belongs to one commit. */
async function checkRepository(version: string): Promise<void> {
  const git = async (...args: string[]): Promise<string> =>
    (await runOnce('git', args, { timeoutMs: GIT_TIMEOUT_MS, cwd: REPOSITORY })).output.trim()
  const changed = await git('status', '--porcelain')
  if (changed !== '') throw new Error(`commit these changes first:\n${changed}`)
  const isTagged = (await git('tag', '--list', `v${version}`)) !== ''
  const tags = (await git('tag', '--points-at', 'HEAD')).split('\n')
  if (isTagged && !tags.includes(`v${version}`)) throw new Error(`the tag v${version} belongs to another commit`)
}

async function buildAll(version: string): Promise<{ files: string[]; publish: string[] }> {
  const all: { files: string[]; publish: string[] } = { files: [], publish: [] }
  for (const [name, build] of Object.entries(ARTIFACTS)) {
    try {
      const { files, publish } = await build({ dir, version })
      console.log(`${name}: ${files.map(withSize).join(', ')}`)
      all.files.push(...files)
      all.publish.push(...publish)
    } catch (error) {
      if (!isDryRun || !(error instanceof CannotBuild)) throw error
      console.log(`${name}: left out. ${error.message}`)
    }
  }
  return all
}

/** Writes the checksums in the format of `sha256sum --check SHA256SUMS`. */
function writeChecksums(files: readonly string[]): void {
  const sum = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(dir, file)))
      .digest('hex')
  writeFileSync(join(dir, 'SHA256SUMS'), files.map((file) => `${sum(file)}  ${file}\n`).join(''))
}

function withSize(file: string): string {
  return `${file} (${Math.ceil(statSync(join(dir, file)).size / 1024)} KB)`
}
