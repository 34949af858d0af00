import { type AdminAnswer, openAdminSession } from '../../../deploy/local/admin-session.ts'

export type OperatorAddresses = { identityDatabaseUrl: string; configDatabaseUrl: string; redisUrl: string }
export type Operator = {
  /** Commands of `npm run admin`, in words, answered one by one. */
  ofUsers: (...words: string[]) => Promise<AdminAnswer>
  ofPlans: (...words: string[]) => Promise<AdminAnswer>
  leave: () => Promise<void>
}

/** Somebody with `npm run admin` at hand, who stays for many commands. */
export function callOperator({ identityDatabaseUrl, configDatabaseUrl, redisUrl }: OperatorAddresses): Operator {
  const identity = openAdminSession('identity', { databaseUrl: identityDatabaseUrl, redisUrl })
  const config = openAdminSession('config', { databaseUrl: configDatabaseUrl, redisUrl })
  return {
    ofUsers: (...words) => identity.run(words),
    ofPlans: (...words) => config.run(words),
    leave: async () => void (await Promise.all([identity.close(), config.close()])),
  }
}
