import { expect, test } from 'vitest'
import { checkLockFile } from './check-lock-file.ts'

const good = { version: '5.12.8', license: 'MIT', integrity: 'sha512-x' }
const rules = { minVersions: { fastify: { atLeast: '5.8.5', because: 'a CVE' } }, allowScripts: { '@swc/core': false } }
const check = (name: string, more: object) =>
  checkLockFile({ packages: { [`node_modules/${name}`]: { ...good, ...more } } }, rules)

test.each([
  ['a version below the least', 'fastify', { version: '5.8.4' }],
  ['one below it in the middle', 'fastify', { version: '4.99.0' }],
  ['a license that binds others', 'left-pad', { license: 'GPL-3.0-only' }],
  ['both of two licenses, one of which does', 'left-pad', { license: 'MIT AND AGPL-3.0' }],
  ['no license', 'left-pad', { license: undefined }],
  ['content that is not pinned', 'left-pad', { integrity: undefined }],
  ['what its authors gave up', 'left-pad', { deprecated: 'use another' }],
  ['an unreviewed install script', 'left-pad', { hasInstallScript: true }],
])('%s is rejected', (_what, name, more) => {
  expect(check(name, more)).toHaveLength(1)
})

test.each([
  ['the least version itself', 'fastify', { version: '5.8.5' }],
  ['a later one', 'fastify', { version: '10.0.0' }],
  ['a choice of licenses', 'left-pad', { license: '(GPL-3.0 OR MIT)' }],
  ['a script that was decided on', '@swc/core', { hasInstallScript: true }],
])('%s is accepted', (_what, name, more) => {
  expect(check(name, more)).toEqual([])
})

test('nested packages are checked too, workspaces are not', () => {
  const packages = { 'node_modules/a/node_modules/fastify': { ...good, version: '3.0.0' }, gateway: {}, '': {} }
  expect(checkLockFile({ packages }, rules)).toHaveLength(1)
})
