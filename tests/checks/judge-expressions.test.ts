import { expect, test } from 'vitest'
import { collectExpressions } from './collect-expressions.ts'
import { compareVerdicts, measureGrowth } from './judge-expressions.ts'
import { temporaryTree } from './temporary-tree.ts'

const source = String.raw`
const ONE_LINE = '^[^\\u0000]*$'
const part = 'x'
export const Name = Type.String({ maxLength: 80, pattern: ONE_LINE })
export const Id = Type.String({ pattern: ${'`^${part}+$`'} })
export const isBlank = (text: string) => /^\s*$/u.test(text)
export const find = (word: string) => new RegExp('^' + word)
const route = { pattern: '/api/v1/*' }
`

test('literals, schema patterns through constants, and dynamic expressions are found; routes and tests are not', () => {
  const tree = temporaryTree({ 'gateway/src/names.ts': source, 'gateway/src/names.test.ts': 'const a = /(a+)+$/' })
  const found = collectExpressions(tree).map((one) => ({ ...one, file: 'names' }))
  expect(found).toEqual([
    { file: 'names', source: String.raw`^[^\u0000]*$`, flags: 'u', lengthMax: 80 },
    { file: 'names', source: '^x+$', flags: 'u' },
    { file: 'names', source: String.raw`^\s*$`, flags: 'u' },
    { file: 'names', flags: '' },
  ])
})

test('expressions with super-linear run time are detected', async () => {
  expect(await measureGrowth({ file: '', source: '^(a+)+$', flags: '' })).toBe('exponential')
  expect(await measureGrowth({ file: '', source: String.raw`\s+$`, flags: '' })).toBe('2nd degree polynomial')
  expect(await measureGrowth({ file: '', source: String.raw`^\w+$`, flags: '' })).toBe('linear')
})

test('slow expressions are rejected unless their input is bounded or a reason is given; so are unused and unchecked entries', () => {
  const slow = { file: 'a.ts', source: 'a+$', flags: '' }
  const grows = '2nd degree polynomial'
  expect(compareVerdicts([slow], { '/a+$/': { grows } })).toHaveLength(1)
  expect(compareVerdicts([slow], { '/a+$/': { grows, bounded: 'a line of a file that is ours' } })).toEqual([])
  expect(compareVerdicts([{ ...slow, lengthMax: 100 }], { '/a+$/': { grows } })).toEqual([])
  expect(compareVerdicts([{ ...slow, lengthMax: 1_000 }], { '/a+$/': { grows } })).toHaveLength(1)
  expect(compareVerdicts([{ ...slow, lengthMax: 10 }], { '/a+$/': { grows: 'exponential' } })).toHaveLength(1)
  expect(compareVerdicts([slow], {})).toMatchObject([{ file: 'a.ts' }])
  expect(compareVerdicts([], { '/a+$/': { grows: 'linear' } })).toMatchObject([{ file: 'expressions.json' }])
})
