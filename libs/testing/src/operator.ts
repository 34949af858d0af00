import { type AdminAnswer, openAdminSession } from '../../../deploy/local/admin-session.ts'

export type OperatorAddresses = { identityDatabaseUrl: string; configDatabaseUrl: string; redisUrl: string }
export type Operator = {
  /** Runs the commands of `npm run admin` one after the other. */
  ofUsers: (...words: string[]) => Promise<AdminAnswer>
  ofPlans: (...words: string[]) => Promise<AdminAnswer>
  close: () => Promise<void>
}

/** An operator's `npm run admin`, kept open for several commands. */
export function callOperator({ identityDatabaseUrl, configDatabaseUrl, redisUrl }: OperatorAddresses): Operator {
  const identity = openAdminSession('identity', { databaseUrl: identityDatabaseUrl, redisUrl })
  const config = openAdminSession('config', { databaseUrl: configDatabaseUrl, redisUrl })
  return {
    ofUsers: (...words) => identity.run(words),
    ofPlans: (...words) => config.run(words),
    close: async () => void (await Promise.all([identity.close(), config.close()])),
  }
}
