import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { findLongSubjects } from './find-long-subjects.ts'
import { temporaryTree } from './temporary-tree.ts'

const env = { ...process.env, GIT_COMMITTER_DATE: '2030-01-01T00:00:00Z' }

test('a commit subject of more than 72 characters is reported', () => {
  const dir = temporaryTree({ 'a.txt': '' })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: dir, env })
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', `fix: ${'x'.repeat(67)}`)
  expect(findLongSubjects(dir)).toEqual([])
  git('commit', '-q', '--allow-empty', '-m', `fix: ${'x'.repeat(68)}`)
  expect(findLongSubjects(dir).map(({ message }) => message)).toEqual([
    'has a subject of 73 characters; at most 72 are allowed',
  ])
})

test('a directory without a history has no subjects', () => {
  expect(findLongSubjects(temporaryTree({ 'a.txt': '' }))).toEqual([])
})
