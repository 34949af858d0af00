import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { REPOSITORY } from '../local/folders.ts'
import { runOnce } from '../local/processes/run-once.ts'
import { findTool, toolsFolder } from '../tools/find-tool.ts'
import { type Command, type Generator, GENERATORS, type Toolset, TOOLSETS } from './openapi/generators.ts'
import { type Verdicts, verify } from './verdicts.ts'

// npm run verify:openapi [-- <part of a generator's name> …]: the OpenAPI document through every linter and generator. With TAPELINE_URL
// and TAPELINE_KEY of a running platform, generated clients also make five calls.
const DOCUMENT = join(REPOSITORY, 'gateway', 'golden', 'openapi.json')
const INSTALL_TIMEOUT_MS = 900_000
const GENERATE_TIMEOUT_MS = 600_000
const LINES_SHOWN = 20
const CALLS = 5
const isPlatformGiven = process.env['TAPELINE_URL'] !== undefined && process.env['TAPELINE_KEY'] !== undefined

const wanted = process.argv.slice(2)
const tools = join(toolsFolder(), 'openapi')

await verify(async (verdicts) => {
  const chosen = GENERATORS.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)))
  const work = mkdtempSync(join(tmpdir(), 'tapeline-openapi-'))
  mkdirSync(tools, { recursive: true })
  // hey-api reads the nearest tsconfig.json above its own folder.
  writeFileSync(join(tools, 'tsconfig.json'), '{}\n')
  writeFileSync(join(tools, 'spectral.yaml'), 'extends: ["spectral:oas"]\n')
  try {
    const ready = new Map<Toolset, boolean>()
    for (const generator of chosen) await verifyGenerator(verdicts, generator, { work, ready })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
})

async function verifyGenerator(
  { check, skip }: Verdicts,
  { name, toolsets, needs, generate, compile, calls }: Generator,
  { work, ready }: { work: string; ready: Map<Toolset, boolean> },
): Promise<void> {
  const programs = [...toolsets.flatMap((toolset) => TOOLSETS[toolset].needs), ...needs]
  const absent = programs.filter((program) => findTool(program) === undefined)
  if (absent.length > 0) return skip(name, `${absent.join(', ')} is not on the PATH`)
  for (const toolset of toolsets) {
    if (!ready.has(toolset)) {
      const install = async () =>
        void (await runAll(TOOLSETS[toolset].install, { out: work, timeoutMs: INSTALL_TIMEOUT_MS }))
      ready.set(toolset, await check(`install the ${toolset} tools`, install))
    }
    if (ready.get(toolset) === false) return skip(name, `the ${toolset} tools are not installed`)
  }
  const out = join(work, name.replaceAll(' ', '-'))
  mkdirSync(out)
  await check(name, async () => {
    await runAll([generate, ...(compile === undefined ? [] : [compile])], { out, timeoutMs: GENERATE_TIMEOUT_MS })
    return calls === undefined || !isPlatformGiven ? undefined : makeCalls(calls, out)
  })
}

/** @throws Error unless each of the five calls was answered 200 */
async function makeCalls({ program, run }: NonNullable<Generator['calls']>, out: string): Promise<string> {
  mkdirSync(dirname(join(out, program.file)), { recursive: true })
  writeFileSync(join(out, program.file), program.code)
  const output = await runAll(run, { out, timeoutMs: GENERATE_TIMEOUT_MS })
  const statuses = output.match(/^\d{3}\b/gm) ?? []
  if (statuses.length !== CALLS || statuses.some((status) => status !== '200')) throw new Error(output)
  return `${CALLS} calls answered`
}

/** Returns what the last command wrote. */
async function runAll(
  commands: readonly Command[],
  { out, timeoutMs }: { out: string; timeoutMs: number },
): Promise<string> {
  let written = ''
  for (const command of commands) {
    const [program = '', ...args] = command.map((word) =>
      word.replace('{tools}', tools).replace('{document}', DOCUMENT).replace('{out}', out),
    )
    const { code, output } = await runOnce(program, args, { timeoutMs, cwd: out })
    if (code !== 0) {
      throw new Error(`${program} ended with ${code}\n${output.trim().split('\n').slice(-LINES_SHOWN).join('\n')}`)
    }
    written = output
  }
  return written
}
