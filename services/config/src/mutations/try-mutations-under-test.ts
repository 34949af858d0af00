import { checkTiers } from '@tapeline/contracts/config/check-tiers'
import { KNOWN_CONFIGS, isKnownConfig } from '@tapeline/contracts/config/global-configs'
import { PlatformSnapshot } from '@tapeline/contracts/config/platform-settings'
import { PlatformSettings } from '@tapeline/service/platform-settings'
import { someUser } from '@tapeline/testing/actors'
import { Value } from 'typebox/value'
import { openAppUnderTest } from '../app-under-test.ts'
import { seedFlags } from '../flags/seed-flags.ts'
import { readPlatformSnapshot } from '../read-platform-snapshot.ts'
import { readTiers } from '../tiers/read-tiers.ts'
import { tierDocuments } from '../tiers/tier-documents.ts'
import { seedTiers } from '../tiers/write-tiers.ts'
import { countChanges } from './count-changes-under-test.ts'
import { documents } from './documents-under-test.ts'
import { mutate, seededRandom } from './mutate.ts'

export type MutationVerdict = {
  tried: number
  /** By status and, of failures, code. */
  answers: Record<string, number>
  stored: number
  refused: number
  /** Refusals that the trail was told of. */
  told: number
  /** What must not be: answers of 500 and above, and stored documents that are not valid. */
  wrong: string[]
}

const WRONG_MAX = 20
/** Most of the time the document itself is mutated. */
const AROUND_SHARE = 0.1

/** Sends that many mutated documents to a config of its own, and looks after each at what then holds. */
export async function tryMutations(times: number, seed: number): Promise<MutationVerdict> {
  const { call, deps, events, close } = await openAppUnderTest()
  const admin = someUser({ role: 'admin' })
  const random = seededRandom(seed)
  const verdict: MutationVerdict = { tried: 0, answers: {}, stored: 0, refused: 0, told: 0, wrong: [] }
  const held: { snapshot: PlatformSnapshot | undefined } = { snapshot: undefined }
  const settings = new PlatformSettings(
    {
      ...held,
      origin: 'owner',
      refused: 0,
      get snapshot() {
        return held.snapshot
      },
    },
    Date.now,
  )
  try {
    await seedFlags(deps)
    await seedTiers(deps, { kind: 'service', service: 'config' }, tierDocuments)
    let version = 1
    let changes = await countChanges(deps.db)
    for (let n = 0; n < times && verdict.wrong.length < WRONG_MAX; n += 1) {
      const document = documents[n % documents.length]
      if (document === undefined) break
      const sent =
        random() < AROUND_SHARE
          ? mutate(random, document.around(document.value, version))
          : document.around(mutate(random, document.value), version)
      const { status, body } = await call(admin, document.method, document.url, sent)
      const outcome = status < 300 ? (body.data?.failed?.[0]?.code ?? 'stored') : body.code
      const kind = `${status} ${outcome}`
      verdict.tried += 1
      verdict.answers[kind] = (verdict.answers[kind] ?? 0) + 1
      if (status >= 500) verdict.wrong.push(`${document.name}: ${kind}: ${JSON.stringify(sent).slice(0, 300)}`)
      const before = changes
      changes = await countChanges(deps.db)
      if (outcome === 'stored') {
        verdict.stored += 1
        const holding = await look()
        version = holding.version
        verdict.wrong.push(...holding.faults.map((fault) => `${document.name}: ${fault}`))
      } else {
        verdict.refused += 1
        if (changes !== before) verdict.wrong.push(`${document.name}: refused with ${kind}, and something changed`)
      }
    }
    verdict.told = (await events('config.change-refused.v1')).length
    return verdict
  } finally {
    await close()
  }

  /** What every process would take over now, and what of it is not as it must be. */
  async function look(): Promise<{ version: number; faults: string[] }> {
    const [snapshot, tiers] = [await readPlatformSnapshot(deps), await readTiers(deps)]
    held.snapshot = JSON.parse(JSON.stringify(snapshot))
    const faults = Value.Check(PlatformSnapshot, held.snapshot) ? [] : ['the snapshot is not of its shape']
    faults.push(...checkTiers(tiers.tiers).problems.map(({ field, message }) => `tiers ${field}: ${message}`))
    for (const key of Object.keys(KNOWN_CONFIGS).filter(isKnownConfig)) {
      if (!Value.Check(KNOWN_CONFIGS[key].schema, settings.valueOf(key))) faults.push(`${key} is not valid`)
    }
    if (settings.report().refused > 0) faults.push('a process refuses what is stored')
    return { version: tiers.version, faults }
  }
}
