import { expect, test } from 'vitest'
import { findCycles } from './find-cycles.ts'
import { findForbiddenImports, type ForbiddenImport } from './find-forbidden-imports.ts'
import { findMisplacedCode } from './find-misplaced-code.ts'
import { linkPackages, temporaryTree } from './temporary-tree.ts'

const LIBS = ['contracts', 'service', 'database', 'events', 'testing']
const allowed = {
  'libs/contracts/src/actor.ts': "export type Actor = 'user'\n",
  'libs/service/src/app-error.ts': "import type { Actor } from '@tapeline/contracts/actor'\nexport type By = Actor\n",
  'libs/testing/src/actors.ts': "import type { By } from '@tapeline/service/app-error'\nexport type Some = By\n",
  'gateway/src/main.ts': "import type { By } from '@tapeline/service/app-error'\nexport type Main = By\n",
  'gateway/src/http/pipeline.ts': "import { pool } from '../proxy/pool.ts'\nexport type Pipeline = typeof pool\n",
  'gateway/src/proxy/pool.ts': 'export const pool = 1\n',
  'services/a/src/find.ts': "import type { Kysely } from 'kysely'\nexport type Db = Kysely<object>\n",
  'services/a/src/a-queries.ts': "import { sql } from 'kysely'\nexport const one = sql`select 1`\n",
  'services/a/src/a.test.ts': "import type { Some } from '@tapeline/testing/actors'\nexport type Tested = Some\n",
  'services/b/src/b.ts': 'export const b = 1\n',
  'web/src/page.ts': "import type { Actor } from '@tapeline/contracts/actor'\nexport type Page = Actor\n",
}

test('allowed imports pass, and files were read', () => {
  const { filesRead, forbidden, misplaced } = run({})
  expect(forbidden).toEqual([])
  expect(misplaced).toEqual([])
  expect(filesRead).toBe(8)
})

test('a tree without code is reported as 0 files read', () => {
  expect(findForbiddenImports(temporaryTree({ 'libs/contracts/README.md': '' })).filesRead).toBe(0)
})

const fromService = "import type { By } from '@tapeline/service/app-error'\nexport type X = By\n"
const fromB = "import { b } from '../../../services/b/src/b.ts'\nexport const x = b\n"

/** Each import breaks the rule in front of it; all are in one tree, which is read once. */
const violations: [rule: string, path: string, text: string][] = [
  [
    'services-do-not-know-each-other',
    'services/a/src/x1.ts',
    "import { b } from '../../b/src/b.ts'\nexport const x = b\n",
  ],
  [
    'services-do-not-know-each-other',
    'tests/x2.ts',
    "import { b } from '../services/b/src/b.ts'\nexport const x = b\n",
  ],
  ['services-do-not-know-each-other', 'deploy/local/x3.ts', "import '../../services/b/src/b.ts'\n"],
  [
    'gateway-knows-no-service',
    'gateway/src/x4.ts',
    "import type { b } from '../../services/b/src/b.ts'\nexport type X = typeof b\n",
  ],
  ['web-knows-only-contracts', 'web/src/x5.ts', fromService],
  ['libs-import-only-downhill', 'libs/events/src/x6.ts', fromService],
  ['libs-import-only-downhill', 'libs/database/src/x7.ts', fromService],
  ['libs-import-only-downhill', 'libs/testing/src/x8.ts', fromB],
  ['contracts-stand-alone', 'libs/contracts/src/x9.ts', fromService],
  [
    'contracts-stand-alone',
    'libs/contracts/src/x10.ts',
    "import { randomUUID } from 'node:crypto'\nexport const x = randomUUID\n",
  ],
  [
    'test-code-stays-in-tests',
    'services/a/src/x11.ts',
    "import type { Some } from '@tapeline/testing/actors'\nexport type X = Some\n",
  ],
  ['test-code-stays-in-tests', 'services/a/src/x12.ts', "import { vi } from 'vitest'\nexport const x = vi\n"],
  [
    'gateway-stages-one-way',
    'gateway/src/limiter/x15.ts',
    "import type { Pipeline } from '../http/pipeline.ts'\nexport type X = Pipeline\n",
  ],
  ['gateway-stages-one-way', 'gateway/src/usage/x16.ts', "import '../proxy/pool.ts'\n"],
  ['gateway-stages-one-way', 'gateway/src/operations/x17.ts', "import '../proxy/pool.ts'\n"],
  [
    'gateway-stages-one-way',
    'gateway/src/routing/x18.ts',
    "import type { X } from '../operations/x17.ts'\nexport type Y = X\n",
  ],
  [
    'gateway-stages-one-way',
    'gateway/src/auth/x19.ts',
    "import type { Main } from '../main.ts'\nexport type X = Main\n",
  ],
  ['import-the-file', 'services/b/src/x13.ts', "import { x } from './index.ts'\nexport const y = x\n"],
  ['import-the-file', 'services/a/src/x14.ts', "import { gone } from './gone.ts'\nexport const x = gone\n"],
]
let cached: ForbiddenImport[] | undefined
const brokenTree = (): ForbiddenImport[] => (cached ??= readBrokenTree())

function readBrokenTree(): ForbiddenImport[] {
  const broken = Object.fromEntries(violations.map(([, path, text]) => [path, text]))
  return run({ ...broken, 'services/b/src/index.ts': 'export const x = 1\n' }).forbidden
}

test.each(violations)('%s reports %s', (rule, path) => {
  const rules = brokenTree()
    .filter(({ from }) => from === path)
    .map((arrow) => arrow.rule)
  expect(rules).toEqual([rule])
})

test.each([
  [
    'sql-lives-in-queries',
    'services/a/src/x.ts',
    "import { sql } from 'kysely'\nexport const x = sql`select 1`\n",
    ['kysely', 'sql`…`'],
  ],
  ['sql-lives-in-queries', 'services/a/src/x.ts', "import pg from 'pg'\nexport const x = pg\n", ['pg']],
  [
    'sql-lives-in-queries',
    'gateway/src/x.ts',
    "export const x = (db) => db\n  .selectFrom('user').execute()\n",
    ['.selectFrom()'],
  ],
  [
    'import-the-file',
    'libs/contracts/src/x.ts',
    "export type { Actor } from './actor.ts'\n",
    ["export … from './actor.ts'"],
  ],
  ['import-the-file', 'libs/contracts/src/x.ts', "export * from './actor.ts'\n", ["export … from './actor.ts'"]],
  [
    'import-the-file',
    'web/src/x.ts',
    "import type { Actor } from '../../libs/contracts/src/actor.ts'\nexport type X = Actor\n",
    ['../../libs/contracts/src/actor.ts'],
  ],
  ['import-the-file', 'web/src/x.ts', "import { page } from '@/page'\nexport const x = page\n", ['@/page']],
])('%s stops the statement in %s', (rule, path, text, found) => {
  expect(findMisplacedCode(temporaryTree({ ...allowed, [path]: text }))).toEqual(
    found.map((to) => ({ rule, from: path, to })),
  )
})

test('no-cycles reports cycles of any length', () => {
  const dir = temporaryTree({
    'libs/service/src/a.ts': "import { b } from '@tapeline/contracts/b'\nexport const a = () => b\n",
    'libs/contracts/src/b.ts': "import { c } from './c.ts'\nexport const b = () => c\n",
    'libs/contracts/src/c.ts': "import { a } from '@tapeline/service/a'\nexport const c = () => a\n",
  })
  expect(findCycles(dir).map(({ rule }) => rule)).toContain('no-cycles')
})

test('a type may be imported from a file that imports this one', () => {
  const dir = temporaryTree({
    'gateway/src/app.ts':
      "import { addRoutes } from './routes.ts'\nexport type App = object\nexport const app = addRoutes\n",
    'gateway/src/routes.ts': "import type { App } from './app.ts'\nexport const addRoutes = (app: App) => app\n",
  })
  expect(findCycles(dir)).toEqual([])
})

function run(files: Record<string, string>) {
  const dir = temporaryTree({ ...allowed, ...files })
  linkPackages(dir, LIBS, ['kysely', 'pg', 'vitest'])
  return { ...findForbiddenImports(dir), misplaced: findMisplacedCode(dir) }
}
