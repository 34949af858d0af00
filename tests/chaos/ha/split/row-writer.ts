import { join } from 'node:path'
import type { Place } from '@tapeline/testing/programs/place'
import pg from 'pg'
import { runChild } from '../../../../deploy/local/processes/run-child.ts'

export type Acknowledged = { id: string; server: string; atMs: number }
export type Failed = { code: string; atMs: number }
/** A process that commits rows, and what it has reported so far. */
export type RowWriter = { acknowledged: Acknowledged[]; failed: Failed[]; stop: () => Promise<void> }
type Line = { acknowledged?: string; server?: string; failed?: string; code?: string; atMs: number }

const SCRIPT = join(import.meta.dirname, 'commit-rows.ts')
const TABLE = 'split_brain_row'
const STOP_TIMEOUT_MS = 5_000

/** Commits rows at the only server, or at the one of several that accepts writes. */
export async function startRowWriter(
  dir: string,
  place: Place,
  side: string,
  urls: readonly string[],
): Promise<RowWriter> {
  const acknowledged: Acknowledged[] = []
  const failed: Failed[] = []
  const take = (text: string): void => {
    // Warnings of Node are no JSON.
    if (!text.startsWith('{')) return
    const line = JSON.parse(text) as Line
    if (line.acknowledged !== undefined)
      acknowledged.push({ id: line.acknowledged, server: line.server ?? '', atMs: line.atMs })
    else failed.push({ code: line.code ?? '', atMs: line.atMs })
  }
  const child = await runChild({
    name: `rows-${side}`,
    ...place.wrap(process.execPath, [SCRIPT, TABLE, side, ...urls]),
    dir,
    marker: SCRIPT,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    output: { onLine: take },
  })
  return { acknowledged, failed, stop: child.stop }
}

export async function createRows(url: string): Promise<void> {
  await query(url, `create table ${TABLE} (id text primary key)`)
}

export async function listRows(url: string): Promise<string[]> {
  const rows = await query(url, `select id from ${TABLE}`)
  return rows.map(({ id }) => String(id))
}

async function query(url: string, text: string): Promise<{ id?: unknown }[]> {
  const client = new pg.Client({ connectionString: `${url}/postgres` })
  await client.connect()
  try {
    return (await client.query<{ id?: unknown }>(text)).rows
  } finally {
    await client.end()
  }
}
