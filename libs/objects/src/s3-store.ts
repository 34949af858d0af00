import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { checkKey, type ObjectInfo, type ObjectStore, StoreError } from './object-store.ts'
import { createSignedClient, type SignedClient, type StoreRequest, type StoreResponse } from './signed-client.ts'

export type S3Options = {
  /** `https://host[:port]`, without a path. */
  endpoint: string
  bucket: string
  /** Empty, or ends with "/". */
  prefix: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const READ_TIMEOUT_MS = 5_000
/** A day of a busy instrument is some hundred megabytes. */
const WRITE_TIMEOUT_MS = 120_000
const ATTEMPTS = 3
const BACKOFF_MS = 100
const ERROR_CHARACTERS = 200
const RETRIED: readonly number[] = [409, 429, 500, 502, 503, 504]

/** Objects in a bucket of any S3-compatible store that supports `If-None-Match: *` on PUT. @throws StoreError */
export function s3Store(options: S3Options): ObjectStore {
  const { accessKeyId, secretAccessKey, region } = options
  const client = createSignedClient({ accessKeyId, secretAccessKey, region })
  const bucketUrl = `${options.endpoint}/${options.bucket}`
  const urlOf = (key: string) => `${bucketUrl}/${options.prefix}${checkKey(key)}`
  const send = (url: string, request: StoreRequest = {}) => sendRequest(client, url, request)
  const head = async (key: string) => {
    const response = await send(urlOf(key), { method: 'HEAD' })
    if (response.status === 404) return undefined
    if (response.status !== 200) throw refused(`head ${key}`, response)
    return { size: Number(response.headers['content-length']) }
  }
  return {
    head,
    /** A refused PUT may close the connection before the body is sent, hence the HEAD before and after. */
    async putIfAbsent(key, bytes) {
      if ((await head(key)) !== undefined) return 'exists'
      const checksum = createHash('sha256').update(bytes).digest('base64')
      const headers = { 'if-none-match': '*', 'x-amz-checksum-sha256': checksum }
      const response = await send(urlOf(key), { method: 'PUT', body: bytes, headers }).catch(async (error: unknown) => {
        if ((await head(key))?.size === bytes.byteLength) return undefined
        throw error
      })
      if (response?.status === 200) return 'stored'
      if (response === undefined || response.status === 412) return 'exists'
      throw refused(`put ${key}`, response)
    },
    async getRange(key, from, to) {
      const response = await send(urlOf(key), { headers: { range: `bytes=${from}-${to - 1}` } })
      if (response.status === 404) throw new StoreError('missing', `${key}: no such object`)
      if (response.status === 416) throw new StoreError('incomplete', `${key}: ends before ${to} bytes`)
      if (response.status !== 206) throw refused(`get ${key}`, response)
      const { bytes } = response
      if (bytes.byteLength === to - from) return bytes.buffer
      throw new StoreError('incomplete', `${key}: ${bytes.byteLength} of ${to - from} bytes`)
    },
    async list(prefix) {
      const listed = await listObjects(send, bucketUrl, options.prefix + prefix)
      return listed.map((one) => ({ ...one, key: one.key.slice(options.prefix.length) }))
    },
    async delete(key) {
      const response = await send(urlOf(key), { method: 'DELETE' })
      if (response.status !== 204 && response.status !== 404) throw refused(`delete ${key}`, response)
    },
  }
}

/** Every request may be repeated: reads change nothing, a PUT is conditional, a DELETE is final. */
async function sendRequest(client: SignedClient, url: string, request: StoreRequest): Promise<StoreResponse> {
  const timeoutMs = request.method === 'PUT' ? WRITE_TIMEOUT_MS : READ_TIMEOUT_MS
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await client(url, request, AbortSignal.timeout(timeoutMs))
      if (!RETRIED.includes(response.status) || attempt === ATTEMPTS) return response
    } catch (error) {
      if (attempt === ATTEMPTS) throw new StoreError('unavailable', 'the object store does not answer', error)
    }
    await delay(BACKOFF_MS * attempt * (1 + Math.random()))
  }
}

/** The body names the fault; it contains no credentials. */
function refused(what: string, { status, bytes }: StoreResponse): StoreError {
  return new StoreError('unavailable', `${what}: status ${status} ${textIn(bytes).slice(0, ERROR_CHARACTERS)}`)
}

function textIn(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

type Send = (url: string, request?: StoreRequest) => Promise<StoreResponse>

async function listObjects(send: Send, bucketUrl: string, prefix: string): Promise<ObjectInfo[]> {
  const found: ObjectInfo[] = []
  for (let token: string | undefined; ;) {
    const query = new URLSearchParams({ 'list-type': '2', prefix, ...(token && { 'continuation-token': token }) })
    const response = await send(`${bucketUrl}?${query.toString()}`)
    if (response.status !== 200) throw refused(`list ${prefix}`, response)
    const xml = textIn(response.bytes)
    for (const item of xml.split('<Contents>').slice(1)) {
      const modified = new Date(textOf(item, 'LastModified') ?? '')
      found.push({ key: textOf(item, 'Key') ?? '', size: Number(textOf(item, 'Size')), modified })
    }
    token = textOf(xml, 'NextContinuationToken')
    if (textOf(xml, 'IsTruncated') !== 'true' || token === undefined) return found
  }
}

/** Keys hold no character that XML escapes. */
function textOf(xml: string, tag: string): string | undefined {
  const start = xml.indexOf(`<${tag}>`)
  if (start === -1) return undefined
  const from = start + tag.length + 2
  return xml.slice(from, xml.indexOf('<', from))
}
