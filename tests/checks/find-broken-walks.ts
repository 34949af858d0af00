import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** A walk in ARCHITECTURE.md: its heading, and the maximum numbers of files in it and of its feature's own files. */
export type Walk = { heading: string; filesMax: number; ownMax: number }
type Step = { path: string; isOwn: boolean; shared: string | undefined }

/**
 * `1. **path**` is a file of the feature's own, `1. path` any other; `(by \`word\`)` names the link between the two
 * files.
 */
const STEP = /^\d+\. (\*\*)?`([^`]+)`(?:\*\*)?(?: \(by `([^`]+)`\))?/
const IMPORT = /(?:from|import\()\s*'([^']+)'|new URL\('([^']+)', import\.meta\.url\)/g

/**
 * Reports walks that differ from the code: each file must import, or be imported by, an earlier one, or contain the
 * hop's word.
 */
export function findBrokenWalks(rootDir: string, walks: readonly Walk[]): string[] {
  const text = readFileSync(join(rootDir, 'ARCHITECTURE.md'), 'utf8')
  return walks.flatMap((walk) => {
    const steps = stepsOf(text, walk.heading)
    return [...tooLong(walk, steps), ...steps.flatMap((step, n) => brokenStep(rootDir, step, steps.slice(0, n)))].map(
      (fault) => `${walk.heading}: ${fault}`,
    )
  })
}

function stepsOf(text: string, heading: string): Step[] {
  const from = text.indexOf(`\n## ${heading}\n`)
  if (from === -1) return []
  const end = text.indexOf('\n## ', from + 1)
  const lines = text.slice(from, end === -1 ? undefined : end).split('\n')
  return lines.flatMap((line) => {
    const [, bold, path, shared] = STEP.exec(line) ?? []
    return path === undefined ? [] : [{ path, isOwn: bold !== undefined, shared }]
  })
}

function tooLong({ filesMax, ownMax }: Walk, steps: readonly Step[]): string[] {
  const own = steps.filter(({ isOwn }) => isOwn).length
  const faults: string[] = []
  if (steps.length === 0) faults.push('is not described')
  if (steps.length > filesMax) faults.push(`takes ${steps.length} files; at most ${filesMax} are allowed`)
  if (own > ownMax) faults.push(`has ${own} files of its own; at most ${ownMax} are allowed`)
  return faults
}

function brokenStep(rootDir: string, { path, shared }: Step, earlier: readonly Step[]): string[] {
  if (!existsSync(join(rootDir, path))) return [`${path} does not exist`]
  if (earlier.length === 0) return []
  const code = readFileSync(join(rootDir, path), 'utf8')
  const before = earlier.filter((step) => existsSync(join(rootDir, step.path)))
  if (shared !== undefined) {
    const isShared = before.some((step) => readFileSync(join(rootDir, step.path), 'utf8').includes(shared))
    return isShared && code.includes(shared) ? [] : [`${path} and the files before it do not share ${shared}`]
  }
  const own = importsOf(rootDir, path)
  const isLinked = before.some((step) => own.has(step.path) || importsOf(rootDir, step.path).has(path))
  return isLinked ? [] : [`${path} neither imports a file before it nor is imported by one`]
}

function importsOf(rootDir: string, file: string): Set<string> {
  const code = readFileSync(join(rootDir, file), 'utf8')
  return new Set([...code.matchAll(IMPORT)].flatMap(([, from, url]) => resolved(rootDir, file, from ?? `./${url}`)))
}

function resolved(rootDir: string, file: string, target: string): string[] {
  if (target.startsWith('.')) return [normalize(join(dirname(file), target))]
  const [, lib, path] = /^@tapeline\/([a-z-]+)\/(.+)$/.exec(target) ?? []
  if (lib === undefined) return []
  return ['.ts', '.tsx'].map((end) => `libs/${lib}/src/${path}${end}`).filter((name) => existsSync(join(rootDir, name)))
}
