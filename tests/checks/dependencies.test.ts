import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const PACKAGE_FILES = '{package.json,{gateway,web}/package.json,{libs,services}/*/package.json}'

test('docs/dependencies.md lists every direct dependency, and no other package', () => {
  const used = globSync(PACKAGE_FILES, { cwd: ROOT }).flatMap((file) => directDependencies(join(ROOT, file)))
  const text = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8')
  const listed = [...text.matchAll(/^\| `([^`*]+)` \|/gm)].map(([, name = '']) => name)
  expect(listed.toSorted()).toEqual([...new Set(used)].toSorted())
})

function directDependencies(file: string): string[] {
  const { dependencies, devDependencies, optionalDependencies }: Record<string, Record<string, string> | undefined> =
    JSON.parse(readFileSync(file, 'utf8'))
  return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
    (name) => !/^@(tapeline|types)\//.test(name),
  )
}
