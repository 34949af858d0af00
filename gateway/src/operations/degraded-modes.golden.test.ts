import { expectGolden } from '@tapeline/testing/golden'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { degradedModes } from './degraded-modes.ts'

const HEAD = `# Degraded modes

What callers see while a part of the platform is unavailable. The table is \`gateway/src/operations/degraded-modes.ts\`, this page is generated from
it (\`npm run golden\`), and every row has a drill in \`gateway/src/operations/degraded-modes.test.ts\` or
\`services/market-data/src/stream/outages.test.ts\`. Requests get a 5xx only
in these cases. The latency that a hung Redis adds is measured by \`node load-tests/bench/degraded.ts\`.

A 503 that is answered before the limiter has decided (\`gateway.overloaded\`, \`account.unavailable\`, \`journal.full\`) consumes
nothing and causes no usage event. A request that gets a 502, 503 or 504 from a service, or from the gateway in place of the service, was admitted and is counted.

## Share

Without Redis, the fallback limiter of each gateway process admits a share of the remaining limit of an account: remaining at the last reply / processes, at
least 1 per window, 0 if the limit was exhausted. There is one share per outage: late replies, merges and reconnections within 60 s of each other belong
to the same outage. Responses have \`X-RateLimit-Policy: degraded\`; requests beyond the share get a 429. In every rolling window, at most the
limit and one share per process are admitted.
`

test('the page of degraded modes is generated from the table', async () => {
  const sections = degradedModes.map(({ id, condition, worksOn, clientEffect, lasts, recovery }) =>
    [
      `## ${id}`,
      '',
      `${condition}.`,
      '',
      `- **Still works**: ${worksOn}.`,
      `- **Callers see**: ${clientEffect}.`,
      `- **Duration**: ${lasts}.`,
      `- **Recovery**: ${recovery}.`,
    ].join('\n'),
  )
  await expectGolden('docs/degraded-modes.md', [HEAD, ...sections].join('\n\n').replaceAll('\n\n\n', '\n\n'))
})

test('the drill of another service exists under the name of its row', () => {
  const root = join(import.meta.dirname, '..', '..', '..')
  const elsewhere = degradedModes.flatMap((mode) => ('drill' in mode ? [mode] : []))
  expect(elsewhere.length).toBeGreaterThan(0)
  for (const { id, drill } of elsewhere) expect(readFileSync(join(root, drill), 'utf8')).toContain(`test('${id}: `)
})
