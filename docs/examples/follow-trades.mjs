// node follow-trades.mjs [venue] [symbol]: prints trades over the package ws (npm install ws), and after a cut goes on where it
// stopped. TAPELINE_URL and TAPELINE_API_KEY say where and with which key; COUNT ends it after so many trades.
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
    // A refused connection has an answer of HTTP: a wrong key does not become right by asking again.
    socket.on('unexpected-response', (_request, { statusCode }) => reject(new Error(`answered ${statusCode}`)))
    socket.on('error', () => undefined)
    socket.on('close', resolve)
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(data)
      if (message.type === 'error') process.stderr.write(`${message.problem.detail}\n`)
      for (const { sequence, ts_event, price, size } of message.type === 'trades' ? message.data : []) {
        if (left > 0) process.stdout.write(`${sequence} ${ts_event} ${price} ${size}\n`)
        left -= 1
      }
      // After the records were used: what comes later begins there.
      cursor = message.cursor ?? cursor
      if (left <= 0) socket.close()
    })
  })
}

while (left > 0) {
  await follow()
  if (left > 0) await delay(500)
}
