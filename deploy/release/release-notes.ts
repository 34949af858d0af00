import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '../local/folders.ts'

/** Files that state the version of the product, and what they state. */
export type StatedVersions = readonly { file: string; version: string }[]

const VERSION = /^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/
const PACKAGES = ['package.json', 'libs/sdk/package.json', 'libs/cli/package.json', 'libs/mcp/package.json']

export function readVersions(): StatedVersions {
  const read = (file: string) => readFileSync(join(REPOSITORY, file), 'utf8')
  return [
    ...PACKAGES.map((file) => ({ file, version: (JSON.parse(read(file)) as { version: string }).version })),
    {
      file: 'libs/sdk-python/pyproject.toml',
      version: /^version = "(.+)"$/m.exec(read('libs/sdk-python/pyproject.toml'))?.[1] ?? '',
    },
  ]
}

/** The one version that all files state; throws with the files that differ. */
export function versionOf(stated: StatedVersions): string {
  const version = stated[0]?.version ?? ''
  const differing = stated.filter((one) => one.version !== version).map((one) => `${one.file} states ${one.version}`)
  if (differing.length > 0) throw new Error(`package.json states ${version}, but ${differing.join(', ')}`)
  if (!VERSION.test(version)) throw new Error(`${version} is not a semantic version`)
  return version
}

/** The section of a version in CHANGELOG.md; throws if it is missing or empty. */
export function notesOf(changelog: string, version: string): string {
  const notes = sectionOf(changelog, version)
  if (notes === undefined) throw new Error(`CHANGELOG.md has no section [${version}]`)
  if (notes === '') throw new Error(`the section [${version}] of CHANGELOG.md is empty`)
  return `${notes}\n`
}

/** What is unreleased, or without that the section of the version that the files state. */
export function notesOfDryRun(changelog: string, version: string): string {
  const unreleased = sectionOf(changelog, 'Unreleased') ?? ''
  return unreleased === '' ? notesOf(changelog, version) : `${unreleased}\n`
}

function sectionOf(changelog: string, name: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1)
  const found = sections.find((text) => text.startsWith(`[${name}]`))
  return found?.slice(found.indexOf('\n') + 1).trim()
}
