import { createServer } from 'node:http'
import { takeFreePort } from '../../../deploy/local/ports/free-port.ts'
import { staticFiles } from '../../../deploy/local/web/static-files.ts'

export type ServedFolder = { url: string; stop: () => Promise<void> }

/** Serves files as a production web server does: compressed and cacheable. */
export async function serveFolder(folder: string): Promise<ServedFolder> {
  const fileAt = staticFiles(folder)
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = fileAt(pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    if (file === undefined) return response.writeHead(404).end()
    const { gzipped, body, type } = file
    const packed = gzipped === undefined ? {} : { 'content-encoding': 'gzip' }
    response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=3600', ...packed })
    return response.end(gzipped ?? body)
  })
  const port = await takeFreePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
