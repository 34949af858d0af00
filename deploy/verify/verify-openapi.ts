import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { REPOSITORY } from '../local/folders.ts'
import { waitForLock } from '../local/processes/lock-file.ts'
import { runOnce } from '../local/processes/run-once.ts'
import { MAVEN_LOCK } from '../local/servers/maven.ts'
import { findTool, toolsFolder } from '../tools/find-tool.ts'
import { type Generator, GENERATORS } from './openapi/generators.ts'
import { type Command, fingerprint, type Toolset, TOOLSETS } from './openapi/toolsets.ts'
import { type Verdicts, verify } from './verdicts.ts'

// npm run verify:openapi [-- <part of a generator's name> …]: the OpenAPI document through every linter and generator. With TAPELINE_URL
// and TAPELINE_KEY of a running platform, generated clients also make five calls.
const DOCUMENT = join(REPOSITORY, 'gateway', 'golden', 'openapi.json')
const INSTALL_TIMEOUT_MS = 900_000
const GENERATE_TIMEOUT_MS = 600_000
const LINES_SHOWN = 40
const CALLS = 5
/** Number of cores of the smallest machine. */
const WORKERS = 2
const LEFT_OUT = ['modelTests', 'apiTests', 'modelDocs', 'apiDocs']
const isPlatformConfigured = process.env['TAPELINE_URL'] !== undefined && process.env['TAPELINE_KEY'] !== undefined

const names = process.argv.slice(2)
const tools = join(toolsFolder(), 'openapi')
const work = mkdtempSync(join(tmpdir(), 'tapeline-openapi-'))

await verify(async (verdicts) => {
  const chosen = GENERATORS.filter(({ name }) => names.length === 0 || names.some((word) => name.includes(word)))
  const runnable = chosen.filter(({ name, toolsets, needs }) => {
    const programs = [...toolsets.flatMap((toolset) => TOOLSETS[toolset].needs), ...needs]
    const absent = [...new Set(programs)].filter((program) => findTool(program) === undefined)
    if (absent.length > 0) verdicts.skip(name, `not on the PATH: ${absent.join(', ')}`)
    return absent.length === 0
  })
  mkdirSync(tools, { recursive: true })
  // hey-api reads the nearest tsconfig.json above its own folder.
  writeFileSync(join(tools, 'tsconfig.json'), '{}\n')
  writeFileSync(join(tools, 'spectral.yaml'), 'extends: ["spectral:oas"]\n')
  try {
    await verifyAll(verdicts, runnable)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
})

async function verifyAll(verdicts: Verdicts, generators: readonly Generator[]): Promise<void> {
  const ready = new Map<Toolset, Promise<boolean>>()
  for (const toolset of generators.flatMap(({ toolsets }) => toolsets)) {
    if (!ready.has(toolset)) ready.set(toolset, install(verdicts, toolset))
  }
  const ofJava = generators.flatMap(({ generate }) =>
    'openApiGenerator' in generate ? [generate.openApiGenerator] : [],
  )
  const isBatchReady = (ready.get('java') ?? Promise.resolve(false)).then(
    (isReady) => isReady && verdicts.check('run openapi-generator', () => generateBatch(ofJava)),
  )
  const queue = [...generators]
  const workThrough = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { name, toolsets, generate } = next
      const states = await Promise.all(toolsets.map(async (toolset) => ready.get(toolset)))
      if (states.includes(false)) verdicts.skip(name, `the ${toolsets.join(' or ')} tools are not installed`)
      else if ('openApiGenerator' in generate && !(await isBatchReady)) verdicts.skip(name, 'it was not generated')
      else await verifyGenerator(verdicts, next)
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, workThrough))
}

/** Installs nothing if the same versions are present. */
async function install({ check }: Verdicts, toolset: Toolset): Promise<boolean> {
  const marker = join(tools, `${toolset}.installed`)
  if (existsSync(marker) && readFileSync(marker, 'utf8') === fingerprint(toolset)) return true
  return check(`install the ${toolset} tools`, async () => {
    // Maven's local repository does not support concurrent writers.
    const release = toolset === 'java' ? await waitForLock(MAVEN_LOCK, INSTALL_TIMEOUT_MS, () => {}) : () => {}
    try {
      await runAll(TOOLSETS[toolset].install, { out: work, timeoutMs: INSTALL_TIMEOUT_MS })
      writeFileSync(marker, fingerprint(toolset))
    } finally {
      release()
    }
  })
}

/** One process for all generators, because most of the time is spent on starting Java and parsing the document. */
async function generateBatch(names: readonly string[]): Promise<void> {
  const configs = names.map((name) => {
    const globalProperties = Object.fromEntries(LEFT_OUT.map((part) => [part, 'false']))
    const config = {
      generatorName: name,
      inputSpec: DOCUMENT,
      outputDir: outOf(`openapi-generator ${name}`),
      globalProperties,
    }
    const file = join(work, `${name}.json`)
    writeFileSync(file, JSON.stringify(config))
    return file
  })
  const command = `java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar {tools}/java/openapi-generator-cli.jar batch -r ${WORKERS} --`
  await runAll([[...command.split(' '), ...configs]], { out: work, timeoutMs: GENERATE_TIMEOUT_MS })
}

async function verifyGenerator({ check }: Verdicts, { name, generate, calls }: Generator): Promise<void> {
  const out = outOf(name)
  mkdirSync(out, { recursive: true })
  await check(name, async () => {
    const options = { out, timeoutMs: GENERATE_TIMEOUT_MS }
    if (!('openApiGenerator' in generate)) await runAll([generate], options)
    if (calls === undefined) return undefined
    const { file, code } = calls.program
    mkdirSync(dirname(join(out, file)), { recursive: true })
    writeFileSync(join(out, file), code)
    await runAll(calls.compile, options)
    if (!isPlatformConfigured) return undefined
    const output = await runAll([calls.run], options)
    const statuses = output.match(/^\d{3}\b/gm) ?? []
    if (statuses.length !== CALLS || statuses.some((status) => status !== '200')) throw new Error(output)
    return `${CALLS} calls answered`
  })
}

function outOf(name: string): string {
  return join(work, name.replaceAll(' ', '-'))
}

/** Returns what the last command wrote. */
async function runAll(
  commands: readonly Command[],
  { out, timeoutMs }: { out: string; timeoutMs: number },
): Promise<string> {
  const folders = { tools, out, document: DOCUMENT, repository: REPOSITORY }
  let written = ''
  for (const command of commands) {
    const [program = '', ...args] = command.map((word) =>
      Object.entries(folders).reduce((text, [name, folder]) => text.replaceAll(`{${name}}`, folder), word),
    )
    const { code, output } = await runOnce(program, args, { timeoutMs, cwd: out })
    if (code !== 0) {
      throw new Error(`${program} ended with ${code}\n${output.trim().split('\n').slice(-LINES_SHOWN).join('\n')}`)
    }
    written = output
  }
  return written
}
