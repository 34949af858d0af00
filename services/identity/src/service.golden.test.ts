import { expectGolden } from '@tapeline/testing/golden'
import { test } from 'vitest'
import { describedApp } from '../test/described-app.fixture.ts'

test('every route declares its access', async () => {
  const app = await describedApp()
  await expectGolden('services/identity/golden/access.txt', app.accessList().join('\n'))
  await app.close()
})
