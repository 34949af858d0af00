import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type LineRun, readByLine } from './read-by-line.ts'
import { openSource } from './sources/open-source.ts'

const folder = await mkdtemp(join(tmpdir(), 'tapeline-lines-'))
afterAll(() => rm(folder, { recursive: true }))

async function read(take: (line: string) => void | Promise<void>): Promise<string[]> {
  const file = join(folder, 'rows.csv')
  await writeFile(file, 'one\ntwo\nthree\n')
  const refused: string[] = []
  const run: LineRun = {
    deps: { progress: { advance: () => {} } },
    drain: async () => {},
    refuse: (line, reason) => void refused.push(`${line}: ${reason}`),
  }
  await readByLine(await openSource(file), run, take)
  return refused
}

test('an unreadable line is rejected, and the others are read', async () => {
  const taken: string[] = []
  const refused = await read((line) => {
    if (line === 'two') throw new Error('is not a number')
    taken.push(line)
  })
  expect(refused).toEqual(['2: is not a number'])
  expect(taken).toEqual(['one', 'three'])
})

test('a failure of PostgreSQL or of the lake ends the import instead of skipping the line', async () => {
  await expect(read(() => Promise.reject(new Error('connection terminated')))).rejects.toThrow('connection terminated')
})
