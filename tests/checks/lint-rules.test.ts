import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { linkPackages, temporaryTree } from './temporary-tree.ts'

const ROOT_DIR = join(import.meta.dirname, '..', '..')
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** Each file breaks exactly the named rule. */
const violations: [rule: string, path: string, text: string][] = [
  [
    'eslint(complexity)',
    'complex.ts',
    `export const f = (a: number) => {\n${numbers(11)
      .map((n) => `  if (a === ${n}) return ${n}`)
      .join('\n')}\n}\n`,
  ],
  [
    'eslint(max-lines)',
    'long.ts',
    numbers(251)
      .map((n) => `export const v${n} = ${n}\n`)
      .join(''),
  ],
  [
    'eslint(max-lines-per-function)',
    'long-function.ts',
    `export function f() {\n${'  process.exitCode = 1\n'.repeat(61)}}\n`,
  ],
  ['eslint(max-params)', 'params.ts', 'export const f = (a: 1, b: 2, c: 3, d: 4, e: 5) => [a, b, c, d, e]\n'],
  ['eslint(no-console)', 'console.ts', 'console.log(1)\n'],
  ['import(no-cycle)', 'one.ts', "import { other } from './other.ts'\nexport const one = () => other\n"],
  ['import(no-cycle)', 'other.ts', "import { one } from './one.ts'\nexport const other = () => one\n"],
  ['import(no-default-export)', 'default.ts', 'export default 1\n'],
  ['oxc(no-barrel-file)', 'barrel.ts', "export * from './params.ts'\n"],
  ['typescript(consistent-type-imports)', 'type.ts', "import { Foo } from './foo.ts'\nexport type Bar = Foo\n"],
  ['typescript(consistent-type-imports)', 'type-expression.ts', "export type Bar = import('./foo.ts').Foo\n"],
  ['typescript(no-explicit-any)', 'loose.ts', 'export const x: any = 1\n'],
  ['typescript(no-floating-promises)', 'floating.ts', 'const later = async () => 1\nlater()\n'],
  ['typescript(no-non-null-assertion)', 'bang.ts', 'export const f = (v: string | null) => v!.length\n'],
  [
    'typescript(switch-exhaustiveness-check)',
    'switch.ts',
    "export const f = (v: 'a' | 'b') => {\n  switch (v) {\n    case 'a':\n      return 1\n  }\n}\n",
  ],
  ['unicorn(filename-case)', 'BadName.ts', 'export const x = 1\n'],
  [
    'vitest(no-focused-tests)',
    'only.test.ts',
    "import { expect, test } from 'vitest'\ntest.only('x', () => expect(1).toBe(1))\n",
  ],
]

test('every lint rule that we rely on reports its violations, and nothing else', () => {
  const files = Object.fromEntries(violations.map(([, path, text]) => [path, text]))
  const fine = { 'foo.ts': 'export type Foo = 1\n', 'migrations/one.ts': 'export const x: any = 1\n' }
  const found = lint({ ...files, ...fine })
  const expected = violations.map(([rule, path]) => `${path} ${rule}`)
  expect(found.toSorted()).toEqual(expected.toSorted())
})

function lint(files: Record<string, string>): string[] {
  const tsconfig = { extends: './tsconfig.base.json', compilerOptions: { module: 'nodenext', types: ['node'] } }
  const dir = temporaryTree({ ...files, 'tsconfig.json': JSON.stringify(tsconfig) })
  for (const name of ['.oxlintrc.json', 'tsconfig.base.json']) cpSync(join(ROOT_DIR, name), join(dir, name))
  linkPackages(dir, [], ['vitest', '@types'])
  const program = join(ROOT_DIR, 'node_modules', '.bin', 'oxlint')
  const { stdout } = spawnSync(program, ['--type-aware', '-f', 'unix', '.'], { cwd: dir, encoding: 'utf8' })
  return [...stdout.matchAll(/^(?:\.\/)?(\S+?):\d+:\d+: .*\[Error\/(.+)\]$/gm)].map(
    ([, path, rule]) => `${path} ${rule}`,
  )
}
