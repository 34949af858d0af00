// node follow-trades.mjs [venue] [symbol]: prints trades with the package ws (npm install ws). After a lost connection it
// continues where it stopped. Environment: TAPELINE_URL, TAPELINE_API_KEY; COUNT ends it after that many trades.
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'

const { TAPELINE_URL = 'http://127.0.0.1:3001', TAPELINE_API_KEY = '', COUNT = 'Infinity' } = process.env
const [venue = 'sim', symbol = 'BTC-USDT'] = process.argv.slice(2)
const address = `${TAPELINE_URL.replace(/^http/, 'ws')}/api/v1/stream`

let cursor = null
let left = Number(COUNT)

/** One connection, until it ends. */
function follow() {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, 'tapeline.v1', { headers: { 'x-api-key': TAPELINE_API_KEY } })
    const subscription = { op: 'subscribe', id: 'a', channel: 'trades', venues: [venue], symbols: [symbol], cursor }
    socket.on('open', () => socket.send(JSON.stringify(subscription)))
    // A rejected connection has an HTTP status. A wrong key stays wrong; a service that restarts (5xx) is tried again.
    socket.on('unexpected-response', (_request, { statusCode }) => {
      if (statusCode < 500) reject(new Error(`the gateway returned ${statusCode}`))
      socket.terminate()
    })
    socket.on('error', () => undefined)
    socket.on('close', resolve)
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(data)
      // The subscription has ended: with a status of 500 or more it may begin again on another connection.
      if (message.type === 'error') {
        if (message.problem.status < 500) reject(new Error(message.problem.detail))
        process.stderr.write(`${message.problem.detail}\n`)
        socket.close()
      }
      for (const { sequence, ts_event, price, size } of message.type === 'trades' ? message.data : []) {
        if (left > 0) process.stdout.write(`${sequence} ${ts_event} ${price} ${size}\n`)
        left -= 1
      }
      // Only after the records were used: the next connection continues after this message.
      cursor = message.cursor ?? cursor
      if (left <= 0) socket.close()
    })
  })
}

while (left > 0) {
  await follow()
  if (left > 0) await delay(500)
}
