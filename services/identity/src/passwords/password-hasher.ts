import { randomBytes } from 'node:crypto'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { AppError } from '@tapeline/service/app-error'

export type PasswordSettings = { memoryKib: number; passes: number; lanes: number; waitingMax: number }

export type PasswordHasher = {
  hash: (password: string) => Promise<string>
  /** Without a hash (nobody has that e-mail) the same work is done, and the answer is no. */
  verify: (passwordHash: string | undefined, password: string) => Promise<boolean>
  /** True for a hash made with other settings than today's. */
  isOutdated: (passwordHash: string) => boolean
}

const NOBODY_BYTES = 16
const RETRY_AFTER_SECONDS = 1

/**
 * Argon2id in Node's worker pool, one at a time: sign-ins never take more than one core or one hash's memory.
 * Whoever finds `waitingMax` before them is asked to come back.
 */
export async function createPasswordHasher(settings: PasswordSettings): Promise<PasswordHasher> {
  const inTurn = createQueue(settings.waitingMax)
  const options = { memoryCost: settings.memoryKib, timeCost: settings.passes, parallelism: settings.lanes }
  const nobodysHash = await hash(randomBytes(NOBODY_BYTES), options)
  return {
    hash: (password) => inTurn(() => hash(normalised(password), options)),
    async verify(passwordHash, password) {
      const isRight = await inTurn(() => verify(passwordHash ?? nobodysHash, normalised(password)))
      return isRight && passwordHash !== undefined
    },
    isOutdated(passwordHash) {
      const made = parseOptions(passwordHash)
      return (
        made.memoryCost !== options.memoryCost ||
        made.timeCost !== options.timeCost ||
        made.parallelism !== options.parallelism
      )
    },
  }
}

/** One spelling per password, whatever keyboard or system typed it (NIST SP 800-63B §5.1.1.2). */
function normalised(password: string): string {
  return password.normalize('NFKC')
}

function createQueue(waitingMax: number) {
  let present = 0
  let last: Promise<unknown> = Promise.resolve()
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (present > waitingMax) {
      throw new AppError('login.busy', 'Too many people are signing in. Try again in a moment.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    }
    present += 1
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      present -= 1
    }
  }
}
