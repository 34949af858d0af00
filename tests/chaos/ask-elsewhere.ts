import { type Asked, keepAsking } from './keep-asking.ts'
import { askingOf, type Visited } from './rolling-restart-drill.ts'

/** Where a platform that runs elsewhere is reached, and at which addresses it is asked. */
type Elsewhere = Visited & { urls: string[] }

const CLIENTS_FOR_EACH = 2
const SAY_EVERY_MS = 1_000

// node ask-elsewhere.ts '<Elsewhere as JSON>': asks until SIGTERM, and says each second what came so far.
const elsewhere = JSON.parse(process.argv[2] ?? '') as Elsewhere
const { brief } = await askingOf(elsewhere)
const asked: Asked = { answered: 0, failed: {} }
let isOver = false
process.once('SIGTERM', () => (isOver = true))
const say = () => console.log(JSON.stringify(asked))
const saying = setInterval(say, SAY_EVERY_MS)
const pairs = elsewhere.urls.flatMap((url) => brief.map((one) => [url, one] as const))
const clients = Array.from({ length: CLIENTS_FOR_EACH }, () =>
  pairs.map(([url, one]) => keepAsking(url, one, asked, () => isOver)),
)
await Promise.all(clients.flat())
clearInterval(saying)
say()
