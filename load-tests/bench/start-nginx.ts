import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { takeFreePort } from '../../deploy/local/ports/free-port.ts'
import type { ServerOptions, Proxy } from './start-express-gateway.ts'
import { stopChild, untilOpen } from './start-program.ts'

/** Usual folders of nginx modules. NGINX_MODULES selects another folder, NGINX_PROGRAM another program. */
const MODULE_DIRS = [process.env['NGINX_MODULES'] ?? '', '/usr/lib/nginx/modules', '/usr/share/nginx/modules']
const MODULES = ['ndk_http_module.so', 'ngx_http_lua_module.so']
const LIMIT = 100_000_000
const KEY = crypto.randomUUID()

/** nginx with Lua if it is installed; otherwise undefined, with a message. */
export async function startNginx(options: ServerOptions): Promise<Proxy | undefined> {
  const program = process.env['NGINX_PROGRAM'] ?? 'nginx'
  const loading = loadModules(program)
  if (loading === undefined) return undefined
  const port = await takeFreePort()
  const dir = join(options.dir, 'nginx')
  mkdirSync(dir, { recursive: true })
  const file = join(dir, 'nginx.conf')
  writeFileSync(file, configuration(options, { dir, port, loading }))
  const child = spawn('taskset', ['-c', String(options.core), program, '-p', dir, '-c', file], { stdio: 'inherit' })
  const stop = async (): Promise<void> => stopChild(child)
  try {
    await untilOpen(port, child)
    return { pid: child.pid ?? 0, port, headers: { 'x-api-key': KEY }, stop }
  } catch (error) {
    await stop()
    console.log(`without nginx: ${String(error)}`)
    return undefined
  }
}

/** Configuration lines that load Lua; none if it is built in. */
function loadModules(program: string): string | undefined {
  const { status, stderr } = spawnSync(program, ['-V'], { encoding: 'utf8' })
  if (status !== 0) {
    console.log('without nginx, which is not installed')
    return undefined
  }
  if (stderr.includes('lua-nginx-module') || stderr.includes('ngx_lua')) return ''
  const dir = MODULE_DIRS.find((one) => one !== '' && MODULES.every((module) => existsSync(join(one, module))))
  if (dir === undefined) {
    console.log('without nginx, which is installed without Lua')
    return undefined
  }
  return MODULES.map((module) => `load_module ${join(dir, module)};`).join('\n')
}

type Filling = { dir: string; port: number; loading: string }

function configuration({ upstreamUrl, redisUrl }: ServerOptions, { dir, port, loading }: Filling): string {
  const redis = new URL(redisUrl)
  const luaDir = process.env['NGINX_LUA'] ?? ''
  const values: Record<string, string> = {
    LOAD_MODULES: loading,
    LUA_PATHS: luaDir === '' ? '' : `lua_package_path '${luaDir}/?.lua;;';`,
    UPSTREAM: new URL(upstreamUrl).host,
    REDIS_HOST: redis.hostname,
    REDIS_PORT: redis.port,
    LIMIT: String(LIMIT),
    PORT: String(port),
    DIR: dir,
    KEY,
  }
  const template = readFileSync(join(import.meta.dirname, 'nginx-lua.conf'), 'utf8')
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), value),
    template,
  )
}
