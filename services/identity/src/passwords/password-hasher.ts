import { randomBytes } from 'node:crypto'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { AppError } from '@tapeline/service/app-error'
import { lowerPoolPriority } from './lower-pool-priority.ts'

export type PasswordSettings = {
  memoryKib: number
  passes: number
  lanes: number
  waitingMax: number
  /** Number of waiting places reserved for known devices. */
  reservedForKnown?: number
  /** Nice value of the hashing threads, 0 to 19, so that a flood of sign-ins does not slow down data requests. */
  niceness?: number
}
/** Sign-ins from a known device go first and can use the reserved places. */
export type SignInOrigin = 'anywhere' | 'a known device'

export type PasswordHasher = {
  hash: (password: string) => Promise<string>
  /** Without a hash (unknown e-mail, or no password) the same work is done, and the result is false. */
  verify: (passwordHash: string | null | undefined, password: string, from?: SignInOrigin) => Promise<boolean>
  /** True for a hash with settings other than the current ones. */
  isOutdated: (passwordHash: string | null) => boolean
}

const DECOY_BYTES = 16
const RETRY_AFTER_SECONDS = 1

/**
 * Argon2id in Node's worker pool, one hash at a time: sign-ins use at most one core and one hash's memory. When
 * `waitingMax` are waiting, further ones are rejected with Retry-After; known devices have priority and reserved
 * slots.
 */
export async function createPasswordHasher(settings: PasswordSettings): Promise<PasswordHasher> {
  const inTurn = createQueue(settings)
  const options = { memoryCost: settings.memoryKib, timeCost: settings.passes, parallelism: settings.lanes }
  const decoyHash = await hash(randomBytes(DECOY_BYTES), options)
  // The first hash has started the pool's threads.
  if (settings.niceness !== undefined) lowerPoolPriority(settings.niceness)
  return {
    hash: (password) => inTurn('anywhere', () => hash(normalised(password), options)),
    async verify(passwordHash, password, from = 'anywhere') {
      const isRight = await inTurn(from, () => verify(passwordHash ?? decoyHash, normalised(password)))
      return isRight && typeof passwordHash === 'string'
    },
    isOutdated(passwordHash) {
      if (passwordHash === null) return false
      const used = parseOptions(passwordHash)
      return (
        used.memoryCost !== options.memoryCost ||
        used.timeCost !== options.timeCost ||
        used.parallelism !== options.parallelism
      )
    },
  }
}

/** Normalizes a password, so that the input method does not matter (NIST SP 800-63B §5.1.1.2). */
function normalised(password: string): string {
  return password.normalize('NFKC')
}

function createQueue({ waitingMax, reservedForKnown = 0 }: Pick<PasswordSettings, 'waitingMax' | 'reservedForKnown'>) {
  const places: Record<SignInOrigin, number> = { anywhere: waitingMax - reservedForKnown, 'a known device': waitingMax }
  const waiting: Record<SignInOrigin, (() => void)[]> = { anywhere: [], 'a known device': [] }
  let isWorking = false
  const next = (): void => {
    const begin = waiting['a known device'].shift() ?? waiting.anywhere.shift()
    isWorking = begin !== undefined
    begin?.()
  }
  return async <T>(from: SignInOrigin, work: () => Promise<T>): Promise<T> => {
    if (isWorking) {
      if (waiting.anywhere.length + waiting['a known device'].length >= places[from]) throw busy()
      await new Promise<void>((resolve) => waiting[from].push(resolve))
    }
    isWorking = true
    try {
      return await work()
    } finally {
      next()
    }
  }
}

function busy(): AppError {
  return new AppError('login.busy', 'Too many sign-ins at the moment. Try again shortly.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
