// Brings the API keys of an account to the state of a file, as Terraform does:
//
//   TAPELINE_URL=http://localhost:3001 TAPELINE_SERVICE_KEY=tl_svc_… node docs/examples/apply-keys.mjs keys.json
//
// keys.json: [{ "external_id": "prod:reader", "name": "reader", "tags": ["prod"], "scopes": ["trades:read"] }]
// Keys that are not in the file are revoked if they have one of the tags listed after it: … apply-keys.mjs keys.json prod
// Prints one JSON line per key. A new key's secret is in its line and nowhere else; pipe the output to a secret store.
import { readFile } from 'node:fs/promises'

const { TAPELINE_URL, TAPELINE_SERVICE_KEY } = process.env
const [file, ...managedTags] = process.argv.slice(2)
if (file === undefined || TAPELINE_URL === undefined || TAPELINE_SERVICE_KEY === undefined) {
  process.stderr.write('Set TAPELINE_URL and TAPELINE_SERVICE_KEY, and name the file.\n')
  process.exit(2)
}

async function call(method, path, body) {
  const response = await fetch(`${TAPELINE_URL}/api/v1/internal/api-keys${path}`, {
    method,
    headers: {
      authorization: `Bearer ${TAPELINE_SERVICE_KEY}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.code}: ${answer.detail}`)
  return { status: response.status, data: answer.data }
}

function print(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

const listed = JSON.parse(await readFile(file, 'utf8'))
for (const { external_id, ...key } of listed) {
  const { status, data } = await call('PUT', `/by-external-id/${external_id}`, key)
  const secret = data.apiKey === undefined ? {} : { apiKey: data.apiKey }
  print({ external_id, id: data.key.id, done: status === 201 ? 'created' : 'kept', ...secret })
}
const listedIds = new Set(listed.map(({ external_id }) => external_id))
for (const tag of managedTags) {
  const { data } = await call('GET', `?tag=${encodeURIComponent(tag)}`)
  for (const { id, external_id, status } of data.apiKeys) {
    if (external_id === null || listedIds.has(external_id) || status === 'revoked') continue
    await call('PATCH', `/${id}/revoke`)
    print({ external_id, id, done: 'revoked' })
  }
}
