import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = join(import.meta.dirname, '..', 'attacks')
const ATTACKS = 49

type Line = { number: number; where: string; files: string[] }

const lines: Line[] = readFileSync(join(FOLDER, 'README.md'), 'utf8')
  .split('\n')
  .flatMap((text) => {
    const [, number, , , where = ''] = text.split('|').map((cell) => cell.trim())
    const files = [...where.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => file)
    return /^\d+$/.test(number ?? '') ? [{ number: Number(number), where, files }] : []
  })
const files = globSync('*.test.ts', { cwd: FOLDER })

test('every attack of the list has a line with its test file, or the reason why there is none', () => {
  expect(lines.map(({ number }) => number)).toEqual(Array.from({ length: ATTACKS }, (_, n) => n + 1))
  for (const { number, where, files: named } of lines) {
    if (named.length === 0) expect(where, `attack ${number}`).toMatch(/^not yet: \w/)
    for (const file of named) expect(files, `attack ${number}`).toContain(file)
  }
})

test('every test file is listed, and its name begins with the number of its attack', () => {
  for (const file of files) {
    const tried = lines.filter((line) => line.files.includes(file)).map(({ number }) => number)
    expect(tried, file).toContain(Number(file.slice(0, 2)))
  }
})
