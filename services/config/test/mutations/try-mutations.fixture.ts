import { someUser } from '@tapeline/testing/actors'
import { seededRandom } from '@tapeline/testing/seeded-random'
import { openTestApp } from '../app.fixture.ts'
import { seedFlags } from '../../src/flags/seed-flags.ts'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { seedTiers } from '../../src/tiers/write-tiers.ts'
import { countChanges } from './count-changes.fixture.ts'
import { documents, type MutatedDocument } from './documents.fixture.ts'
import { mutate, type Random } from './mutate.fixture.ts'
import { watchInvariants } from './watch-invariants.fixture.ts'

export type MutationVerdict = {
  tried: number
  /** Number of responses by status and, for failures, code. */
  answers: Record<string, number>
  stored: number
  refused: number
  /** Rejections with an event. */
  announced: number
  /** Violations: responses with 500 and above, and invalid stored documents. */
  wrong: string[]
}

const FAILURES_MAX = 20
/** Usually the document itself is mutated. */
const ENVELOPE_SHARE = 0.1
const admin = someUser({ role: 'admin' })

type TestApp = Awaited<ReturnType<typeof openTestApp>>
/** Called after each mutation with the result so far. */
type Report = (soFar: MutationVerdict) => void

/** Sends mutated documents to a test instance of config and checks the stored state after each. */
export async function tryMutations(times: number, seed: number, report: Report = () => {}): Promise<MutationVerdict> {
  const app = await openTestApp()
  try {
    await seedFlags(app.deps)
    await seedTiers(app.deps, { kind: 'service', service: 'config' }, tierDocuments)
    const verdict = await sendMutated(app, { times, report }, seededRandom(seed))
    return { ...verdict, announced: (await app.events('config.change-refused.v1')).length }
  } finally {
    await app.close()
  }
}

async function sendMutated(
  app: TestApp,
  { times, report }: { times: number; report: Report },
  random: Random,
): Promise<MutationVerdict> {
  const verdict: MutationVerdict = { tried: 0, answers: {}, stored: 0, refused: 0, announced: 0, wrong: [] }
  const observe = watchInvariants(app.deps)
  let version = 1
  let changes = await countChanges(app.deps.db)
  for (let n = 0; n < times && verdict.wrong.length < FAILURES_MAX; n += 1) {
    const document = documents[n % documents.length]
    if (document === undefined) break
    const { kind, isStored, faults } = await send(app, document, mutateRequest(random, document, version))
    verdict.tried += 1
    verdict.answers[kind] = (verdict.answers[kind] ?? 0) + 1
    verdict[isStored ? 'stored' : 'refused'] += 1
    const before = changes
    changes = await countChanges(app.deps.db)
    if (isStored) {
      const observed = await observe()
      version = observed.version
      faults.push(...observed.faults)
    } else if (changes !== before) faults.push(`refused with ${kind}, and something changed`)
    verdict.wrong.push(...faults.map((fault) => `${document.name}: ${fault}`))
    report(verdict)
  }
  return verdict
}

function mutateRequest(random: Random, { value, wrap }: MutatedDocument, version: number): unknown {
  return random() < ENVELOPE_SHARE ? mutate(random, wrap(value, version)) : wrap(mutate(random, value), version)
}

/**
 * Sends a request and checks the response.
 * @returns status and code, and what is wrong with the response
 */
async function send({ call }: TestApp, { method, url }: MutatedDocument, sent: unknown) {
  const { status, body } = await call(admin, method, url, sent)
  const outcome = status < 300 ? (body.data?.failed?.[0]?.code ?? 'stored') : body.code
  const kind = `${status} ${outcome}`
  const faults = status >= 500 ? [`${kind}: ${JSON.stringify(sent).slice(0, 300)}`] : []
  return { kind, isStored: outcome === 'stored', faults }
}
