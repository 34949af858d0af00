import { request as requestHttp, Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as requestHttps, Agent as HttpsAgent } from 'node:https'
import { AwsV4Signer } from 'aws4fetch'

export type StoreRequest = { method?: string; headers?: Record<string, string>; body?: Uint8Array<ArrayBuffer> }
export type StoreResponse = { status: number; headers: IncomingHttpHeaders; bytes: Uint8Array<ArrayBuffer> }
/** Sends one request and reads its whole response; rejects when the connection fails or the signal is aborted. */
export type SignedClient = (url: string, request: StoreRequest, signal: AbortSignal) => Promise<StoreResponse>

export type SigningOptions = { accessKeyId: string; secretAccessKey: string; region: string }

/**
 * Requests signed with AWS Signature Version 4, over kept connections. `fetch` costs more CPU: a read passes each of its
 * parts through a web stream.
 */
export function createSignedClient(options: SigningOptions): SignedClient {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }
  // The signing key of a day is derived once.
  const cache = new Map<string, ArrayBuffer>()
  return async (url, { method = 'GET', headers = {}, body }, signal) => {
    const signer = new AwsV4Signer({ ...options, url, method, headers, body, service: 's3', cache })
    const signed = await signer.sign()
    const length = body === undefined ? undefined : { 'content-length': String(body.byteLength) }
    const all = { ...Object.fromEntries(signed.headers), ...length }
    const isPlain = signed.url.protocol === 'http:'
    return new Promise((resolve, reject) => {
      const requestOptions = { method, headers: all, signal, agent: isPlain ? agents.http : agents.https }
      const request = isPlain ? requestHttp(signed.url, requestOptions) : requestHttps(signed.url, requestOptions)
      request.on('error', reject)
      request.on('response', (response) => readBody(response).then(resolve, reject))
      request.end(body)
    })
  }
}

async function readBody(response: IncomingMessage): Promise<StoreResponse> {
  const parts: Uint8Array[] = []
  for await (const part of response) parts.push(part)
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return { status: response.statusCode ?? 0, headers: response.headers, bytes }
}
