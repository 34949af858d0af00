import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { compileValidator } from './validator.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'

test.each(['body', 'params', 'querystring'])('only what PostgreSQL and Date can read is valid in %s', (httpPart) => {
  const isId = compileValidator({ schema: Type.String({ format: 'uuid' }), httpPart })
  const isTime = compileValidator({ schema: Type.String({ format: 'date-time' }), httpPart })
  expect([ID, ID.toUpperCase(), `urn:uuid:${ID}`, `{${ID}}`, 'x'].map((id) => isId(id))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  expect(
    [
      '2026-03-12T00:00:00Z',
      '2026-03-12T00:00:00.123456789+05:30',
      '2026-12-31T23:59:60Z',
      '2026-12-31T23:59:60.5Z',
      '2026-12-31T24:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-03-12',
    ].map((time) => isTime(time)),
  ).toEqual([true, true, false, false, false, false, false])
})
