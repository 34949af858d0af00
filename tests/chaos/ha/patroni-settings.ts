import { join } from 'node:path'
import type { EtcdNode } from './etcd.ts'

type MemberSettings = {
  name: string
  dir: string
  data: string
  address: string
  port: number
  apiPort: number
  etcd: EtcdNode[]
  postgresBin: string
  isSynchronous: boolean
}

export const PATRONI_PASSWORD = 'failover'
/** The shortest times that Patroni permits: a primary that cannot renew its lease within `ttl` is replaced. */
const LEASE = { ttl: 20, loop_wait: 1, retry_timeout: 3 }
/** Effective with `synchronous_mode` only. */
const PRIMARY_STOP_TIMEOUT_S = 5

/** The configuration of one member. */
export function patroniSettings(member: MemberSettings): object {
  const { name, dir, data, address, port, apiPort, etcd, postgresBin, isSynchronous } = member
  const user = (username: string) => ({ username, password: PATRONI_PASSWORD })
  return {
    scope: 'tapeline',
    name,
    restapi: { listen: `${address}:${apiPort}`, connect_address: `${address}:${apiPort}` },
    etcd3: { hosts: etcd.map((node) => `${node.address}:${node.port}`).join(',') },
    bootstrap: {
      dcs: {
        ...LEASE,
        synchronous_mode: isSynchronous,
        // A killed primary is replaced instead of waiting for its recovery.
        primary_start_timeout: 0,
        // A primary that is cut off would wait for its standby, for minutes, before it stops.
        primary_stop_timeout: PRIMARY_STOP_TIMEOUT_S,
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            max_connections: 300,
            wal_log_hints: 'on',
            shared_buffers: '64MB',
            wal_sender_timeout: '10s',
          },
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
      listen: `${address}:${port}`,
      connect_address: `${address}:${port}`,
      data_dir: data,
      bin_dir: postgresBin,
      pgpass: join(dir, 'pgpass'),
      authentication: { superuser: user('postgres'), replication: user('replicator'), rewind: user('rewinder') },
      // A killed process loses no data that the operating system has accepted.
      parameters: { unix_socket_directories: '', fsync: 'off', shared_preload_libraries: 'pg_stat_statements' },
      pg_hba: ['host all all samenet scram-sha-256', 'host replication replicator samenet scram-sha-256'],
    },
  }
}
