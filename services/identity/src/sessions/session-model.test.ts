import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import { expect, test } from 'vitest'
import { checkSessionModel } from '../../test/check-session-model.fixture.ts'

test('no sequence of sign-in, refresh, reuse, sign-out and new password leaves a token alive that should be dead, or dead that should live', async () => {
  await expect(checkSessionModel({ runs: 40, commands: 40, seed: PROPERTY_SEED })).resolves.toBeUndefined()
})
