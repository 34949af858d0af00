import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BrokenInvariant } from './find-broken-invariants.ts'
import { listFiles } from './source-files.ts'

const SOURCES_PER_FOLDER_MAX = 25
const CSS_LINES_MAX = 400
const GOLDEN_LINES_MAX = 20_000
const SOURCE = /\.tsx?$/
const NOT_COUNTED = /(?:\.(?:test|e2e|outage|fixture)\.tsx?|\.d\.ts)$/
/** Folders that are lists: one file per page, part of the product specification (not in this repository), attack, migration or load-test script. */
const LISTS = /^(?:web\/e2e|tests\/attacks|services\/[^/]+\/src\/migrations|load-tests)$/
/** Files excluded from images, as named in .dockerignore. */
const KEPT_OUT_OF_IMAGES = [
  '**/test',
  '**/bench',
  '**/golden',
  '**/*.fixture.ts',
  '**/*.test.ts',
  'tests',
  'load-tests',
]

/** Folders, style sheets and golden files that have outgrown their limits, and test code that an image would contain. */
export function findCrowding(rootDir: string): BrokenInvariant[] {
  const files = listFiles(rootDir)
  const lines = (file: string) => readFileSync(join(rootDir, file), 'utf8').trimEnd().split('\n').length
  return [
    ...crowdedFolders(files),
    ...files
      .filter((file) => file.endsWith('.css'))
      .map((file) => ({ file, count: lines(file) }))
      .filter(({ count }) => count > CSS_LINES_MAX)
      .map(({ file, count }) => ({
        file,
        message: `has ${count} lines; a style sheet may have at most ${CSS_LINES_MAX}`,
      })),
    ...longGolden(files.filter((file) => file.includes('/golden/')).map(lines)),
    ...missingIgnorePatterns(rootDir, files),
  ]
}

function crowdedFolders(files: readonly string[]): BrokenInvariant[] {
  const counts = new Map<string, number>()
  for (const file of files) {
    if (SOURCE.test(file) && !NOT_COUNTED.test(file)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  }
  return [...counts]
    .filter(([folder, count]) => count > SOURCES_PER_FOLDER_MAX && !LISTS.test(folder))
    .map(([file, count]) => ({
      file,
      message: `has ${count} source files; a folder may have at most ${SOURCES_PER_FOLDER_MAX}`,
    }))
}

function longGolden(counts: readonly number[]): BrokenInvariant[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total <= GOLDEN_LINES_MAX) return []
  return [{ file: '**/golden', message: `have ${total} lines; at most ${GOLDEN_LINES_MAX} can be reviewed` }]
}

function missingIgnorePatterns(rootDir: string, files: readonly string[]): BrokenInvariant[] {
  const file = '.dockerignore'
  if (!files.includes(file)) return []
  const ignored = new Set(readFileSync(join(rootDir, file), 'utf8').split('\n'))
  return KEPT_OUT_OF_IMAGES.filter((pattern) => !ignored.has(pattern)).map((pattern) => ({
    file,
    message: `does not exclude ${pattern}: images must not contain test code`,
  }))
}
