import type { VersionChange } from '@tapeline/events/outbox'
import { keyVersionField } from '@tapeline/service/account-versions'
import type { KeyVersion } from './tell-gateways.ts'

export function keyVersionChange({ userId, kid, version }: KeyVersion): VersionChange {
  return { accountId: userId, field: keyVersionField(kid), version }
}
