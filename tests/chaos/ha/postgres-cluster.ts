import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { waitUntil } from '@tapeline/testing/wait-until'
import { takeFreePort } from '../../../deploy/local/ports/free-port.ts'
import { type Child, runChild } from '../../../deploy/local/processes/run-child.ts'
import { findUnprivileged } from '../../../deploy/local/servers/unprivileged.ts'
import { etcdNode, type EtcdNode } from './etcd.ts'
import type { FailoverPrograms } from './failover-programs.ts'
import type { Part } from './part.ts'

export type PostgresCluster = {
  /** Both servers, in the format of `DATABASE_URL`. */
  url: string
  /** The current primary alone. */
  primaryUrl: () => Promise<string>
  primary: () => Promise<Part>
  standby: () => Promise<Part>
  etcd: Part[]
  /** One primary and one synchronous standby that streams. */
  untilWhole: () => Promise<void>
  stop: () => Promise<void>
}
type Member = {
  name: string
  port: number
  apiPort: number
  dir: string
  start: () => Promise<void>
  kill: () => Promise<void>
  stop: () => Promise<void>
}

const HOST = '127.0.0.1'
const PASSWORD = 'failover'
const MEMBERS = 2
const WHOLE_WITHIN_MS = 120_000
const STOP_TIMEOUT_MS = 15_000
const ASK_TIMEOUT_MS = 1_000
/** The shortest times that Patroni permits: a primary that cannot renew its lease within `ttl` is replaced. */
const LEASE = { ttl: 20, loop_wait: 1, retry_timeout: 3 }

/** Two PostgreSQL 18 servers under Patroni, one a synchronous standby, and three etcd members for the lease. */
export async function startPostgresCluster(dir: string, programs: FailoverPrograms): Promise<PostgresCluster> {
  const numbers = [1, 2, 3]
  const peers = await Promise.all(
    numbers.map(async () => ({ port: await takeFreePort(), peerPort: await takeFreePort() })),
  )
  const etcd = numbers.map((number) => etcdNode({ dir, number, peers, program: programs.etcd }))
  await Promise.all(etcd.map((node) => node.start()))
  const members: Member[] = []
  for (let number = 1; number <= MEMBERS; number += 1) {
    members.push(makeMember({ dir, number, programs, etcd, port: await takeFreePort(), apiPort: await takeFreePort() }))
  }
  for (const member of members) await member.start()
  const primary = async () => partOf(await memberWith(members, 'primary'), 'PostgreSQL primary')
  const cluster: PostgresCluster = {
    url: urlAt(members.map(({ port }) => `${HOST}:${port}`).join(',')),
    primaryUrl: async () => urlAt(`${HOST}:${(await memberWith(members, 'primary')).port}`),
    primary,
    standby: async () => partOf(await memberWith(members, 'replica'), 'PostgreSQL standby'),
    etcd: etcd.map(({ name, kill, start }): Part => ({ name, kind: 'etcd', kill, restart: start })),
    untilWhole: async () =>
      void (await waitUntil(
        'PostgreSQL has a primary and a synchronous standby',
        () => isWhole(members),
        WHOLE_WITHIN_MS,
      )),
    async stop() {
      await Promise.all(members.map((member) => member.stop()))
      await Promise.all(etcd.map((node) => node.kill()))
    },
  }
  await cluster.untilWhole()
  return cluster
}

type MemberOptions = {
  dir: string
  number: number
  programs: FailoverPrograms
  etcd: EtcdNode[]
  port: number
  apiPort: number
}

function makeMember(options: MemberOptions): Member {
  const { number, programs, port, apiPort } = options
  const name = `postgres-${number}`
  const dir = join(options.dir, name)
  const data = join(dir, 'data')
  const file = join(dir, 'patroni.json')
  const account = findUnprivileged(data, programs.postgresBin)
  let child: Child | undefined
  return {
    name,
    port,
    apiPort,
    dir,
    async start() {
      mkdirSync(dir, { recursive: true, mode: 0o700 })
      // JSON is YAML.
      writeFileSync(file, stringify(patroniSettings(options, name, data)))
      child = await runChild({
        name,
        ...account.wrap(programs.python, [programs.patroni, file]),
        ...(account.runAs === undefined ? {} : { runAs: account.runAs }),
        dir,
        marker: file,
        stopSignal: 'SIGTERM',
        stopTimeoutMs: STOP_TIMEOUT_MS,
        output: { file: join(dir, 'patroni.log') },
      })
      await waitUntil(`${name} runs`, async () => (await stateOf(apiPort))?.state === 'running', WHOLE_WITHIN_MS)
    },
    // Like the loss of its machine: Patroni is killed first, so that PostgreSQL is not started again.
    async kill() {
      await child?.kill()
      killPostmaster(data)
    },
    async stop() {
      await child?.stop()
      killPostmaster(data)
    },
  }
}

function killPostmaster(data: string): void {
  try {
    process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
  } catch {
    // The server is not running.
  }
}

function patroniSettings({ programs, etcd, port, apiPort, dir }: MemberOptions, name: string, data: string): object {
  const user = (username: string) => ({ username, password: PASSWORD })
  return {
    scope: 'tapeline',
    name,
    restapi: { listen: `${HOST}:${apiPort}`, connect_address: `${HOST}:${apiPort}` },
    etcd3: { hosts: etcd.map(({ port: client }) => `${HOST}:${client}`).join(',') },
    bootstrap: {
      dcs: {
        ...LEASE,
        synchronous_mode: true,
        // A killed primary is replaced instead of waiting for its recovery.
        primary_start_timeout: 0,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 300, wal_log_hints: 'on', shared_buffers: '64MB' },
        },
      },
      initdb: [
        { encoding: 'UTF8' },
        { 'locale-provider': 'builtin' },
        { 'builtin-locale': 'C.UTF-8' },
        'data-checksums',
      ],
    },
    postgresql: {
      listen: `${HOST}:${port}`,
      connect_address: `${HOST}:${port}`,
      data_dir: data,
      bin_dir: programs.postgresBin,
      pgpass: join(dir, name, 'pgpass'),
      authentication: { superuser: user('postgres'), replication: user('replicator'), rewind: user('rewinder') },
      // A killed process loses no data that the operating system has accepted.
      parameters: { unix_socket_directories: '', fsync: 'off', shared_preload_libraries: 'pg_stat_statements' },
      pg_hba: [`host all all ${HOST}/32 scram-sha-256`, `host replication replicator ${HOST}/32 scram-sha-256`],
    },
  }
}

type View = { state: string; role: string }

async function stateOf(apiPort: number): Promise<View | undefined> {
  return get<View>(apiPort, '/patroni')
}

/** Patroni answers 503 where the server is not what the path asks for; the body is the same. */
async function get<T>(apiPort: number, path: string): Promise<T | undefined> {
  try {
    const reply = await fetch(`http://${HOST}:${apiPort}${path}`, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) })
    return (await reply.json()) as T
  } catch {
    return undefined
  }
}

async function memberWith(members: Member[], role: 'primary' | 'replica'): Promise<Member> {
  return waitUntil(
    `a server is the ${role}`,
    async () => {
      for (const member of members) {
        const state = await stateOf(member.apiPort)
        if (state?.state === 'running' && state.role === role) return member
      }
      return undefined
    },
    WHOLE_WITHIN_MS,
  )
}

/** The state that Patroni stores in etcd: only a standby recorded there as synchronous may be promoted. */
async function isWhole(members: Member[]): Promise<boolean> {
  const views = await Promise.all(members.map(({ apiPort }) => get<{ members: View[] }>(apiPort, '/cluster')))
  return views.every((view) => {
    const memberViews = view?.members ?? []
    const isLed = memberViews.some(({ role, state }) => role === 'leader' && state === 'running')
    return isLed && memberViews.some(({ role, state }) => role === 'sync_standby' && state === 'streaming')
  })
}

function partOf({ name, kill, start }: Member, kind: Part['kind']): Part {
  return { name, kind, kill, restart: start }
}

function urlAt(hosts: string): string {
  return `postgres://postgres:${PASSWORD}@${hosts}`
}
