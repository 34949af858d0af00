import { type Kysely, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { splitHosts } from './database-hosts.ts'
import { primaryClient } from './primary-client.ts'

/** Payloads on this channel are names of work. */
const CHANNEL = 'tapeline_work'
const RETRY_MS = 1_000
const CONNECT_TIMEOUT_MS = 1_000
/** An idle connection whose server vanished reports nothing by itself: it is checked as often as this. */
const CHECK_EVERY_MS = 30_000
const ANSWER_TIMEOUT_MS = 5_000

/** Announcements of work committed by any process. */
export type WorkSignals = {
  /** Calls `onWork` when work of this name was committed or may have been missed. Returns a function that ends it. */
  on: (name: string, onWork: () => void) => () => void
  /** False while announcements can be lost: the work must be looked for. */
  isListening: () => boolean
  stop: () => Promise<void>
}

/** The part of a pg client that one statement needs. */
export type SqlClient = { query: (statement: { text: string; values: unknown[] }) => Promise<unknown> }

/** Announces work with the commit of the transaction; nothing when it rolls back. */
export async function announceWork<Tables>(trx: Transaction<Tables>, name: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${name})`.execute(trx)
}

/** As `announceWork`, on a connection whose transaction was begun without Kysely. */
export async function announceWorkOn(client: SqlClient, name: string): Promise<void> {
  await client.query({ text: 'select pg_notify($1, $2)', values: [CHANNEL, name] })
}

/** When a table is announced, besides every insert. */
export type Announced = { table: string; orUpdateOf?: string }

/** Announces inserts into a table under its name; called by migrations. */
export async function announceTable(db: Kysely<unknown>, { table, orUpdateOf }: Announced): Promise<void> {
  await sql`
    create or replace function announce_work() returns trigger language plpgsql as $$
    begin
      perform pg_notify('tapeline_work', tg_argv[0]);
      return null;
    end $$`.execute(db)
  const or = orUpdateOf === undefined ? sql`` : sql`or update of ${sql.id(orUpdateOf)}`
  await sql`
    create trigger ${sql.id(`announce_${table}`)} after insert ${or} on ${sql.id(table)}
    for each statement execute function announce_work(${sql.lit(table)})`.execute(db)
}

/**
 * `connectionString` as in `createPool`: if several hosts are listed, the primary is used. `checkEveryMs`: how often the connection
 * is checked; a server that does not answer within five seconds is lost.
 */
export type SignalOptions = { connectionString: string; application_name?: string; checkEveryMs?: number }

/** Listens on a connection of its own, from the first `on`; connects again every second after it was lost. */
export function listenForWork(options: SignalOptions): WorkSignals {
  const newClient = clientFactory(options)
  const listeners = new Map<string, Set<() => void>>()
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let check: NodeJS.Timeout | undefined
  let [isStarted, isListening, isStopped] = [false, false, false]

  const call = (name: string): void => {
    for (const onWork of listeners.get(name) ?? []) onWork()
  }
  const lose = (lost: pg.Client): void => {
    if (client !== lost) return
    client = undefined
    isListening = false
    clearInterval(check)
    lost.end().catch(() => {})
    if (!isStopped) retry = setTimeout(() => void connect(), RETRY_MS).unref()
  }
  const connect = async (): Promise<void> => {
    const next = newClient()
    client = next
    next.on('error', () => lose(next))
    next.on('end', () => lose(next))
    next.on('notification', ({ payload }) => call(payload ?? ''))
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      if (client !== next) return
      isListening = true
      check = checkRegularly(next, options.checkEveryMs ?? CHECK_EVERY_MS, () => lose(next))
      for (const name of listeners.keys()) call(name)
    } catch {
      lose(next)
    }
  }
  return {
    on(name, onWork) {
      const own = listeners.get(name) ?? new Set()
      listeners.set(name, own.add(onWork))
      if (!isStarted) void connect()
      isStarted = true
      return () => own.delete(onWork)
    },
    isListening: () => isListening,
    async stop() {
      isStopped = true
      clearTimeout(retry)
      clearInterval(check)
      const last = client
      client = undefined
      isListening = false
      await last?.end().catch(() => {})
    },
  }
}

function clientFactory({ connectionString, application_name }: SignalOptions): () => pg.Client {
  const urls = splitHosts(connectionString)
  const Client = urls.length > 1 ? primaryClient(urls) : pg.Client
  return () =>
    new Client({
      connectionString: urls[0],
      application_name,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
    })
}

function checkRegularly(client: pg.Client, everyMs: number, onLost: () => void): NodeJS.Timeout {
  return setInterval(() => void client.query('select 1').catch(onLost), everyMs).unref()
}
