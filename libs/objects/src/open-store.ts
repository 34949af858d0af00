import { resolve } from 'node:path'
import { folderStore } from './folder-store.ts'
import { type ObjectStore, StoreError } from './object-store.ts'
import { type S3Options, s3Store } from './s3-store.ts'

export type LakeConfig = { LAKE_URL: string; LAKE_ACCESS_KEY_ID: string; LAKE_SECRET_ACCESS_KEY: string }
/** Errors name the variables `<name>_URL`, `<name>_ACCESS_KEY_ID` and `<name>_SECRET_ACCESS_KEY`. */
export type StoreSettings = { name: string; url: string; accessKeyId: string; secretAccessKey: string }

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

/** The store of LAKE_URL; without it, one whose calls fail. @throws Error as openNamedStore */
export function openStore({ LAKE_URL, LAKE_ACCESS_KEY_ID, LAKE_SECRET_ACCESS_KEY }: LakeConfig): ObjectStore {
  if (LAKE_URL === '') return absentStore
  const credentials = { accessKeyId: LAKE_ACCESS_KEY_ID, secretAccessKey: LAKE_SECRET_ACCESS_KEY }
  return openNamedStore({ name: 'LAKE', url: LAKE_URL, ...credentials })
}

/**
 * The store that `url` names: `file:<folder>` or `s3://<bucket>[/<prefix>][?endpoint=<url>&region=<name>]`.
 * @throws Error if the address is not valid or the credentials of a bucket are missing; it names the variables to set
 */
export function openNamedStore(settings: StoreSettings): ObjectStore {
  const { url } = settings
  if (url.startsWith('file:')) return folderStore(resolve(url.slice('file:'.length).replace(/^\/\/(?=\/)/, '')))
  return openBucket(settings)
}

function openBucket({ name, url, accessKeyId, secretAccessKey }: StoreSettings): ObjectStore {
  const place = parseBucket(url)
  if (place === undefined) {
    throw new Error(`${name}_URL must be file:<folder> or s3://<bucket>[/<prefix>][?endpoint=<url>&region=<name>]`)
  }
  if (accessKeyId === '' || secretAccessKey === '') {
    throw new Error(`${name}_URL names a bucket: set ${name}_ACCESS_KEY_ID and ${name}_SECRET_ACCESS_KEY`)
  }
  return s3Store({ ...place, accessKeyId, secretAccessKey })
}

function parseBucket(text: string): Pick<S3Options, 'endpoint' | 'bucket' | 'prefix' | 'region'> | undefined {
  const url = parseAddress(text)
  if (url?.protocol !== 's3:' || url.hostname === '') return undefined
  const region = url.searchParams.get('region') ?? DEFAULT_REGION
  const endpoint = parseAddress(url.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`)
  if (endpoint === undefined) return undefined
  const prefix = url.pathname
    .split('/')
    .filter((part) => part !== '')
    .join('/')
  return { endpoint: endpoint.origin, bucket: url.hostname, prefix: prefix === '' ? '' : `${prefix}/`, region }
}

/** Addresses are logged, so credentials have variables of their own. */
function parseAddress(text: string): URL | undefined {
  const url = URL.parse(text)
  return url === null || url.username !== '' || url.password !== '' ? undefined : url
}
