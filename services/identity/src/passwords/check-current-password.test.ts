import { afterAll, expect, test } from 'vitest'
import { GOOD_PASSWORD } from '../../test/deps.fixture.ts'
import { testIdentity } from '../../test/identity.fixture.ts'
import { checkCurrentPassword } from './check-current-password.ts'

const { deps, newPerson, signIn, close } = await testIdentity()
afterAll(close)

test('a session gets five wrong passwords before it is delayed; other sessions of the account are not', async () => {
  const { actor, email } = await newPerson()
  const { sessionId } = await signIn(email)
  const elsewhere = { ...actor, sessionId }
  for (let n = 0; n < 5; n += 1) {
    await expect(checkCurrentPassword(deps, actor, `guess ${n}`)).rejects.toMatchObject({ code: 'password.wrong' })
  }
  const waits = { code: 'throttle.exceeded', headers: { 'retry-after': '1' } }
  await expect(checkCurrentPassword(deps, actor, GOOD_PASSWORD)).rejects.toMatchObject(waits)
  expect((await checkCurrentPassword(deps, elsewhere, GOOD_PASSWORD)).email).toBe(email)
  expect((await signIn(email)).user.email).toBe(email)
})

test('correct passwords never cause a delay', async () => {
  const { actor, email } = await newPerson()
  for (let n = 0; n < 8; n += 1) {
    expect(await checkCurrentPassword(deps, actor, GOOD_PASSWORD)).toMatchObject({ email })
  }
})
