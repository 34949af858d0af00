import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { securityHeaders } from './local/web-headers.ts'

test('the pages have the same headers in containers as on one machine', () => {
  const conf = readFileSync(join(import.meta.dirname, 'nginx.conf'), 'utf8')
  const added = Object.fromEntries(
    [...conf.matchAll(/add_header (\S+) "(.+)" always;/g)].map(([, name, value]) => [name, value]),
  )
  expect(added).toEqual(securityHeaders("'self'"))
})
