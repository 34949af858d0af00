import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import { expect, test } from 'vitest'
import { checkSessionModel } from '../../test/check-session-model.fixture.ts'

test('after any sequence of sign-in, refresh, reuse, sign-out and password change exactly the right tokens are valid', async () => {
  await expect(checkSessionModel({ runs: 25, commands: 40, seed: PROPERTY_SEED })).resolves.toBeUndefined()
}, 300_000)
