import fc from 'fast-check'
import { GOOD_PASSWORD } from './deps.fixture.ts'
import { testIdentity } from './identity.fixture.ts'
import { type Model, type Real, sessionCommands } from './session-model.fixture.ts'

export type ModelRuns = { runs: number; commands: number; seed?: number | undefined; onRun?: () => void }

/** Throws with the shortest sequence after which a token is valid that should not be, or the reverse. */
export async function checkSessionModel({ runs, commands, seed, onRun }: ModelRuns): Promise<void> {
  const { deps, clock, newPerson, close } = await testIdentity()
  const setup = async (): Promise<{ model: Model; real: Real }> => {
    const { email, actor } = await newPerson()
    const real = { deps, clock, userId: actor.userId, email }
    return { model: { password: GOOD_PASSWORD, passwords: 0, sessions: [] }, real }
  }
  const property = fc.asyncProperty(sessionCommands(commands), async (sequence) => {
    onRun?.()
    const start = await setup()
    await fc.asyncModelRun(() => start, sequence)
  })
  try {
    await fc.assert(property, { numRuns: runs, ...(seed === undefined ? {} : { seed }) })
  } finally {
    await close()
  }
}
