import type { SampleCode } from '../docs/read-sample.ts'
import { exampleOf } from './example-of.ts'
import type { Operation } from './read-operations.ts'

const VARIABLE = /\$([A-Z_]+)/g

/** The same request in three languages, made from the document. */
export function samplesOf(operation: Operation): SampleCode[] {
  return [
    { language: 'curl', code: curlOf(operation) },
    { language: 'typescript', code: typescriptOf(operation) },
    { language: 'python', code: pythonOf(operation) },
  ]
}

function curlOf(operation: Operation): string {
  const { path, body } = exampleOf(operation)
  const { method, id } = operation
  const isDefault = method === (body === undefined ? 'GET' : 'POST')
  return [
    `curl -s${id === 'stream-events' ? 'N' : ''}${isDefault ? '' : ` -X ${method}`} "$TAPELINE_URL${path}"`,
    ...(credentialOf(operation) === undefined ? [] : [`-H "Authorization: Bearer $${credentialOf(operation)}"`]),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${linesOf(body, '  ')}'`]),
  ].join(' \\\n  ')
}

function typescriptOf(operation: Operation): string {
  const { path, body } = exampleOf(operation)
  const credential = credentialOf(operation)
  const headers = [
    ...(credential === undefined ? [] : [`authorization: \`Bearer \${process.env.${credential}}\``]),
    ...(body === undefined ? [] : [`'content-type': 'application/json'`]),
  ]
  const options = [
    ...(operation.method === 'GET' ? [] : [`  method: '${operation.method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${linesOf(body, '  ')}),`]),
  ]
  const url = `\`\${process.env.TAPELINE_URL}${path.replaceAll(VARIABLE, '${process.env.$1}')}\``
  const call = options.length === 0 ? `fetch(${url})` : `fetch(${url}, {\n${options.join('\n')}\n})`
  return `const response = await ${call}\nconsole.log(response.status, await response.${isText(operation) ? 'text' : 'json'}())`
}

function pythonOf(operation: Operation): string {
  const { path, body } = exampleOf(operation)
  const credential = credentialOf(operation)
  const headers = [
    ...(credential === undefined ? [] : [`"authorization": "Bearer " + os.environ["${credential}"]`]),
    ...(body === undefined ? [] : [`"content-type": "application/json"`]),
  ]
  const names = path.replaceAll(VARIABLE, '" + os.environ["$1"] + "')
  return [
    `import ${body === undefined ? '' : 'json, '}os, urllib.request`,
    '',
    'request = urllib.request.Request(',
    `    os.environ["TAPELINE_URL"] + "${names}",`.replace(' + "",', ','),
    ...(operation.method === 'GET' ? [] : [`    method="${operation.method}",`]),
    ...(headers.length === 0 ? [] : [`    headers={${headers.join(', ')}},`]),
    ...(body === undefined ? [] : [`    data=json.dumps(${linesOf(body, '    ', pythonLiteral)}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request, timeout=20) as response:',
    '    print(response.status, response.read().decode())',
  ].join('\n')
}

function credentialOf({ needs }: Operation): 'TAPELINE_KEY' | 'TAPELINE_TOKEN' | undefined {
  if (needs === 'nothing') return undefined
  return needs === 'session' ? 'TAPELINE_TOKEN' : 'TAPELINE_KEY'
}

function isText({ answer }: Operation): boolean {
  return answer.schema === undefined
}

const LINE_MAX = 44

/** A body as one line, or a line per field where it is longer. */
function linesOf(body: unknown, indent: string, write: (value: unknown) => string = jsonLiteral): string {
  const line = write(body)
  if (line.length <= LINE_MAX || typeof body !== 'object' || body === null || Array.isArray(body)) return line
  const fields = Object.entries(body).map(([name, value]) => `${indent}  "${name}": ${write(value)}`)
  return `{\n${fields.join(',\n')}\n${indent}}`
}

function jsonLiteral(value: unknown): string {
  return JSON.stringify(value)
}

/** JSON as Python writes it: True, False and None. */
function pythonLiteral(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, one]) => `"${name}": ${pythonLiteral(one)}`)
    .join(', ')}}`
}
