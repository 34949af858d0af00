import { expectGolden } from '@tapeline/testing/golden'
import { test } from 'vitest'
import { describedApp } from '../test/described-app.fixture.ts'

test('every route declares who may call it', async () => {
  const app = await describedApp()
  await expectGolden('services/market-data/golden/access.txt', app.accessList().join('\n'))
  await app.close()
})
