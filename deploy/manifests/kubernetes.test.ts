import { expect, test } from 'vitest'
import { CHECKS } from './checks/all.ts'
import { renderedOnce } from './test/rendered.fixture.ts'
import { OVERLAYS } from './render.ts'
import { createSchemaCheck } from './schemas.ts'

const complaints = createSchemaCheck()
const rendered = { local: renderedOnce('local'), production: renderedOnce('production') }

test.each(OVERLAYS)('%s consists of objects that a cluster accepts', (overlay) => {
  const manifests = rendered[overlay]
  expect(manifests.length).toBeGreaterThan(60)
  expect(
    manifests.flatMap((one) => complaints(one).map((what) => `${one.kind}/${one.metadata.name}: ${what}`)),
  ).toEqual([])
})

test.each(OVERLAYS.flatMap((overlay) => Object.keys(CHECKS).map((name) => [overlay, name] as const)))(
  '%s: %s',
  (overlay, name) => {
    expect(CHECKS[name]?.(rendered[overlay])).toEqual([])
  },
)
