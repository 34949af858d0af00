import { existsSync, readFileSync, statSync } from 'node:fs'
import { extname, join, normalize, sep } from 'node:path'
import { gzipSync } from 'node:zlib'

export type StaticFile = { body: Buffer; gzipped: Buffer | undefined; type: string; isImmutable: boolean }

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.xml': 'application/xml',
}
const COMPRESSED = new Set(['.html', '.js', '.css', '.json', '.svg', '.txt', '.md', '.xml', '.webmanifest'])
/** Vite puts a hash of the content into these names. */
const HASHED = /^[/\\]assets[/\\].+-[\w-]{8,}\.\w+$/

/** Reads each file once; the build never changes under a running server. */
export function staticFiles(root: string): (path: string) => StaticFile | undefined {
  const cache = new Map<string, StaticFile>()
  return (path) => {
    const relative = safePath(path)
    if (relative === undefined) return undefined
    const found = cache.get(relative) ?? read(root, relative)
    if (found !== undefined) cache.set(relative, found)
    return found
  }
}

/** Undefined for a path that could lead outside of the root. */
function safePath(path: string): string | undefined {
  try {
    const decoded = decodeURIComponent(path)
    if (decoded.includes('\0')) return undefined
    const relative = normalize(decoded)
    return relative.startsWith(sep) && !relative.split(sep).some((part) => part.startsWith('.')) ? relative : undefined
  } catch {
    return undefined
  }
}

function read(root: string, relative: string): StaticFile | undefined {
  const type = TYPES[extname(relative)]
  const file = join(root, relative)
  if (type === undefined || !existsSync(file) || !statSync(file).isFile()) return undefined
  const body = readFileSync(file)
  return {
    body,
    gzipped: COMPRESSED.has(extname(relative)) ? gzipSync(body) : undefined,
    type,
    isImmutable: HASHED.test(relative),
  }
}
