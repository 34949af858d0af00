import { resolve } from 'node:path'
import { folderStore } from './folder-store.ts'
import { type ObjectStore, StoreError } from './object-store.ts'
import { s3Store } from './s3-store.ts'

export type LakeConfig = { LAKE_URL: string; LAKE_ACCESS_KEY_ID: string; LAKE_SECRET_ACCESS_KEY: string }

const DEFAULT_REGION = 'us-east-1'

/** Without LAKE_URL no day is sealed, so that nothing is read either. */
const absentStore: ObjectStore = {
  putIfAbsent: refuse,
  getRange: refuse,
  head: refuse,
  list: refuse,
  delete: refuse,
}

async function refuse(): Promise<never> {
  throw new StoreError('unavailable', 'LAKE_URL is not set')
}

/** The store that LAKE_URL names: none, `file:<folder>` or `s3://<bucket>[/<prefix>][?endpoint=<url>&region=<name>]`. */
export function openStore(config: LakeConfig): ObjectStore {
  const { LAKE_URL } = config
  if (LAKE_URL === '') return absentStore
  if (LAKE_URL.startsWith('file:'))
    return folderStore(resolve(LAKE_URL.slice('file:'.length).replace(/^\/\/(?=\/)/, '')))
  return openBucket(config)
}

function openBucket(config: LakeConfig): ObjectStore {
  const url = URL.parse(config.LAKE_URL)
  if (url?.protocol !== 's3:' || url.hostname === '') {
    throw new Error('LAKE_URL must be file:<folder> or s3://<bucket>[/<prefix>][?endpoint=<url>&region=<name>]')
  }
  if (config.LAKE_ACCESS_KEY_ID === '' || config.LAKE_SECRET_ACCESS_KEY === '') {
    throw new Error('LAKE_URL names a bucket: set LAKE_ACCESS_KEY_ID and LAKE_SECRET_ACCESS_KEY')
  }
  const region = url.searchParams.get('region') ?? DEFAULT_REGION
  const endpoint = url.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`
  const prefix = url.pathname
    .split('/')
    .filter((part) => part !== '')
    .join('/')
  return s3Store({
    endpoint: new URL(endpoint).origin,
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region,
    accessKeyId: config.LAKE_ACCESS_KEY_ID,
    secretAccessKey: config.LAKE_SECRET_ACCESS_KEY,
  })
}
