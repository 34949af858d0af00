import { expect, test } from 'vitest'
import { parseJavaVersion } from './servers/java.ts'
import { parseDownloadedBytes } from './servers/maven.ts'
import { isRecentRedis, parseRedisVersion } from './servers/redis-binary.ts'

test.each([
  ['openjdk version "17.0.15" 2025-04-15', 17],
  ['openjdk version "25" 2025-09-16', 25],
  ['java version "1.8.0_392"', 8],
  ['openjdk version "21-ea" 2023-09-19', 21],
])('%s is Java %i', (output, major) => {
  expect(parseJavaVersion('java', output)?.major).toBe(major)
})

test('output of another program is not a Java version', () => {
  expect(parseJavaVersion('java', 'command not found')).toBeUndefined()
})

test.each([
  ['6.0.16', false],
  ['6.2.0', true],
  ['7.0.15', true],
  ['10.0.0', true],
])('Redis %s is recent enough: %s', (version, isRecent) => {
  expect(isRecentRedis(version)).toBe(isRecent)
})

test('the version of a Redis is read from its output', () => {
  expect(parseRedisVersion('Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=d')).toBe('7.0.15')
})

test.each([
  ['[INFO] Downloaded from central: a/b.jar (6.7 MB at 56 MB/s)', 6_700_000],
  ['[INFO] Downloaded from central: a/b.pom (8.5 kB at 87 kB/s)', 8_500],
  ['[INFO] Downloaded from central: a/b.pom (512 B at 1.0 kB/s)', 512],
  ['[INFO] Downloading from central: a/b.jar', undefined],
])('%s counts as %s bytes', (line, bytes) => {
  expect(parseDownloadedBytes(line)).toBe(bytes)
})
