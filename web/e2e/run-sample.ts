import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const DOCS_DIR = join(import.meta.dirname, '..', 'docs')
const SAMPLES_DIR = join(DOCS_DIR, 'samples')
const TIMEOUT_MS = 60_000
const ROOT_DIR = join(import.meta.dirname, '..', '..')
/** The clients as sources: no build is needed. */
const CONDITION = '--conditions=tapeline-source'
const run = promisify(execFile)

export type Answered = { status: number; headers: Headers; body: unknown }
/** Shell environment of the documentation's code blocks. */
export type ShellVariables = Record<`TAPELINE_${string}` | 'NEXT_CURSOR', string>

/** Names of the samples shown in the texts of a language, in order. */
export function samplesShown(language: string): string[] {
  return texts(language).flatMap((text) => [...text.matchAll(/^::sample ([\w-]+)$/gm)].map(([, name = '']) => name))
}

/** Code blocks written directly in the texts. */
export function fencedBlocks(language: string): string[] {
  return texts(language).flatMap((text) => [...text.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(([, code = '']) => code))
}

export function sampleFiles(extension: string): string[] {
  return readdirSync(SAMPLES_DIR).flatMap((file) =>
    file.endsWith(`.${extension}`) ? [file.slice(0, -extension.length - 1)] : [],
  )
}

/** The block as a reader pastes it, with curl options that also print status and headers. */
export async function runCurl(name: string, shell: Partial<ShellVariables>): Promise<Answered> {
  const home = mkdtempSync(join(tmpdir(), 'tapeline-curl-'))
  try {
    writeFileSync(join(home, '.curlrc'), `dump-header = "${join(home, 'head')}"\noutput = "${join(home, 'body')}"\n`)
    const code = readFileSync(join(SAMPLES_DIR, `${name}.sh`), 'utf8')
    await run('bash', ['-euc', code], { env: { ...process.env, ...shell, CURL_HOME: home }, timeout: TIMEOUT_MS })
    return answeredOf(readFileSync(join(home, 'head'), 'utf8'), readFileSync(join(home, 'body'), 'utf8'))
  } finally {
    rmSync(home, { recursive: true })
  }
}

/** Runs a TypeScript sample and returns its output. */
export async function runTypeScript(name: string, shell: Partial<ShellVariables>): Promise<string> {
  return outputOf(process.execPath, [CONDITION, join(SAMPLES_DIR, `${name}.ts`)], shell)
}

/** Runs a Python sample and returns its output; `python` is the path of an interpreter with httpx. */
export async function runPython(python: string, name: string, shell: Partial<ShellVariables>): Promise<string> {
  const sources = { PYTHONPATH: join(ROOT_DIR, 'libs/sdk-python/src'), PYTHONDONTWRITEBYTECODE: '1' }
  return outputOf(python, [join(SAMPLES_DIR, `${name}.py`)], { ...shell, ...sources })
}

/** Runs a command-line sample and returns its output. */
export async function runCommandLine(name: string, shell: Partial<ShellVariables>): Promise<string> {
  const command = `tapeline() { "${process.execPath}" ${CONDITION} "${join(ROOT_DIR, 'libs/cli/src/main.ts')}" "$@"; }`
  return outputOf('bash', ['-euc', `${command}\n${readFileSync(join(SAMPLES_DIR, `${name}.cli`), 'utf8')}`], shell)
}

async function outputOf(program: string, args: string[], more: NodeJS.ProcessEnv): Promise<string> {
  const env = { ...process.env, ...more, NODE_OPTIONS: '' }
  const { stdout } = await run(program, args, { env, timeout: TIMEOUT_MS })
  return stdout
}

export function recordedAnswer(name: string): Answered | undefined {
  const file = `${name}.http`
  if (!readdirSync(SAMPLES_DIR).includes(file)) return undefined
  const [head = '', ...body] = readFileSync(join(SAMPLES_DIR, file), 'utf8').split('\n\n')
  return answeredOf(`${head}\n`, body.join('\n\n'))
}

function answeredOf(head: string, body: string): Answered {
  const [line = '', ...headers] = head.trimEnd().split(/\r?\n/)
  const pairs = headers.map((header): [string, string] => {
    const at = header.indexOf(':')
    return [header.slice(0, at), header.slice(at + 1).trim()]
  })
  const json = body.startsWith('HTTP/') ? body.slice(body.indexOf('\r\n\r\n') + 4) : body
  return { status: Number(line.split(' ')[1]), headers: new Headers(pairs), body: JSON.parse(json) }
}

function texts(language: string): string[] {
  const folder = join(DOCS_DIR, 'text')
  return readdirSync(folder)
    .filter((file) => file.endsWith(`.${language}.md`))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
}
