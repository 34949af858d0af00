import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { JOURNEYS } from './journeys.ts'
import { readArguments, USAGE } from './read-arguments.ts'

const problemOf = (...words: string[]) => {
  const read = readArguments(words)
  return 'problem' in read ? read.problem : undefined
}

test('a journey, a profile, addresses, rate and duration are read', () => {
  const read = readArguments([
    'limits',
    'spike',
    '--base-url',
    'http://a:1/,http://b:2',
    '--rate',
    '7',
    '--seconds',
    '60',
  ])
  expect(read).toMatchObject({
    order: {
      journey: { name: 'limits' },
      profile: 'spike',
      gateways: ['http://a:1', 'http://b:2'],
      perSecond: 7,
      seconds: 60,
      isKept: false,
    },
  })
})

test('defaults: profile smoke, and a new platform if there is no address', () => {
  expect(readArguments(['sign-in'])).toMatchObject({ order: { profile: 'smoke', gateways: [], perSecond: undefined } })
})

test('an unknown name is reported with the known ones', () => {
  expect(problemOf('limit')).toBe(
    `there is no journey limit; there are: ${JOURNEYS.map(({ name }) => name).join(', ')}`,
  )
  expect(problemOf('limits', 'medium')).toBe(
    'there is no profile medium; there are: smoke, average, stress, spike, soak, breakpoint',
  )
  expect(problemOf()).toMatch(/^name a journey; there are: verify-and-read, /)
})

test('other errors are reported in one line', () => {
  expect(problemOf('limits', 'smoke', 'twice')).toMatch(/twice is too much/)
  expect(problemOf('limits', '--rate', 'much')).toBe('--rate and --seconds are numbers above 0')
  expect(problemOf('limits', '--base-url', 'localhost:3001')).toMatch(/http:\/\/host:port/)
  expect(problemOf('limits', '--nonsense')).toMatch(/--nonsense/)
})

test('every journey has its script, every script is a journey, and the help names them all', () => {
  const scripts = readdirSync(join(import.meta.dirname, '..', 'journeys')).filter((file) => !file.includes('.test.'))
  expect(scripts.toSorted()).toEqual(JOURNEYS.map(({ name }) => `${name}.ts`).toSorted())
  for (const { name } of JOURNEYS) {
    expect(existsSync(join(import.meta.dirname, '..', 'journeys', `${name}.ts`))).toBe(true)
    expect(USAGE).toContain(name)
  }
})
