import { cancelWith } from '@tapeline/database/cancel'
import type { Server } from '@tapeline/service/create-server'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export type BackgroundDeps = {
  /** On the connections of jobs, whose statements may take longer than those of requests. */
  jobsDb: Kysely<Tables>
}

/** Starts work that continues after the response to the request that starts it; `onError` receives its failure. */
export type StartInBackground = (
  work: (db: Kysely<Tables>) => Promise<unknown>,
  onError: (err: unknown) => void,
) => void

/** Work on the connections of jobs; when the server closes, its statements are cancelled in PostgreSQL. */
export function createBackground(app: Server, { jobsDb }: BackgroundDeps): StartInBackground {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  return (work, onError) => void cancelWith(closing.signal, () => work(jobsDb)).catch(onError)
}
