import { type Kysely, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { splitHosts } from './database-hosts.ts'
import { primaryClient } from './primary-client.ts'

/** Payloads on this channel are names of work. */
const CHANNEL = 'tapeline_work'
const RETRY_MS = 1_000
const CONNECT_TIMEOUT_MS = 1_000

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

/** `connectionString` as in `createPool`: of several hosts the primary is used. */
export type SignalOptions = { connectionString: string; application_name?: string }

/** Listens on a connection of its own, from the first `on`; connects again every second after it was lost. */
export function listenForWork({ connectionString, ...options }: SignalOptions): WorkSignals {
  const urls = splitHosts(connectionString)
  const Client = urls.length > 1 ? primaryClient(urls) : pg.Client
  const listeners = new Map<string, Set<() => void>>()
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let [isStarted, isListening, isStopped] = [false, false, false]

  const call = (name: string): void => {
    for (const onWork of listeners.get(name) ?? []) onWork()
  }
  const lose = (lost: pg.Client): void => {
    if (client !== lost) return
    client = undefined
    isListening = false
    lost.end().catch(() => {})
    if (!isStopped) retry = setTimeout(() => void connect(), RETRY_MS).unref()
  }
  const connect = async (): Promise<void> => {
    const next = new Client({
      ...options,
      connectionString: urls[0],
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    })
    client = next
    next.on('error', () => lose(next))
    next.on('end', () => lose(next))
    next.on('notification', ({ payload }) => call(payload ?? ''))
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      if (client !== next) return
      isListening = true
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
      const last = client
      client = undefined
      isListening = false
      await last?.end().catch(() => {})
    },
  }
}
