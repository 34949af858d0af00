import { type Decision, POLICIES } from '@tapeline/contracts/usage/events'
import fc from 'fast-check'

/** A count, up to the largest that numbers can have. */
export const count = fc.oneof(fc.nat({ max: 300 }), fc.maxSafeNat())
const policies = fc.subarray([...POLICIES])
const windows = fc
  .subarray([...POLICIES])
  .chain((chosen) =>
    fc.tuple(
      ...chosen.map((policy) =>
        fc.record(
          { policy: fc.constant(policy), used: count, limit: count, reset_ms: count },
          { requiredKeys: ['policy', 'used', 'limit'] },
        ),
      ),
    ),
  )
const shadowVerdict = fc.record(
  { proposal: fc.uuid(), denied_by: policies, retry_after_ms: fc.nat() },
  { requiredKeys: ['proposal', 'denied_by'] },
)
/** Any decision that an event can have. */
export const anyDecision = fc
  .record({
    verdict: fc.constantFrom('admitted' as const, 'denied' as const, 'refused' as const),
    degraded: fc.boolean(),
    denied_by: policies,
    retry_after_ms: fc.nat(),
    windows,
    key: fc.option(fc.record({ key_denied_by: policies, key_windows: windows }), { nil: undefined }),
    shadow: fc.option(shadowVerdict, { nil: undefined }),
    key_shadow: fc.option(shadowVerdict, { nil: undefined }),
  })
  .map(({ key, shadow, key_shadow, ...rest }): Decision => ({
    ...rest,
    ...key,
    ...(shadow === undefined ? {} : { shadow }),
    ...(key_shadow === undefined ? {} : { key_shadow }),
  }))
export const anyRejectedFields = fc.option(
  fc.array(
    fc.record({ field: fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '')), limit: fc.nat() }),
    { minLength: 1, maxLength: 3 },
  ),
  { nil: undefined },
)
