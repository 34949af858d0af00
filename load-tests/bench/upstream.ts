import { createServer } from 'node:http'

const ANSWER_BYTES = 1_024

/** Replaces market-data: answers every request with 1 KB of JSON. */
const answer = JSON.stringify({ data: [], filler: '' })
const body = Buffer.from(JSON.stringify({ data: [], filler: 'x'.repeat(ANSWER_BYTES - answer.length) }))
const headers = {
  'content-type': 'application/json',
  'content-length': String(body.length),
  'x-rows-returned': '1',
}

const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
  request.resume()
  response.writeHead(200, headers)
  response.end(body)
})
server.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
// Exits with its parent process.
process.on('disconnect', () => process.exit())
