import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'

const REPOSITORY_DIR = join(import.meta.dirname, '..', '..', '..')

/**
 * Compares `content` with a golden file, `path` from the repository's root. `npm run golden` accepts changes, which
 * are then reviewed as a diff.
 */
export async function expectGolden(path: string, content: string): Promise<void> {
  const file = join(REPOSITORY_DIR, path)
  const expected = content.endsWith('\n') ? content : `${content}\n`
  if (process.env['GOLDEN_UPDATE'] === '1') {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, expected)
    return
  }
  expect(expected, `${path} is out of date; run npm run golden and review the diff`).toBe(await readGolden(file))
}

/** A missing file differs from every content. */
async function readGolden(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
