import { t } from '@lingui/core/macro'
import type { ExplainedWindow } from '@tapeline/contracts/audit/requests'
import { formatCount } from '../../format/number.ts'

/** How much of a limit was used: "5 of 5 requests used in the last second". */
export function limitWords({ policy, used, limit }: Pick<ExplainedWindow, 'policy' | 'used' | 'limit'>): string {
  const [count, max] = [formatCount(used), formatCount(limit)]
  switch (policy) {
    case 'burst':
      return t`${count} of ${max} requests used in the last second`
    case 'min':
      return t`${count} of ${max} requests used in the last minute`
    case 'hour':
      return t`${count} of ${max} requests used in the last hour`
    case 'day':
      return t`${count} of ${max} requests used in the last 24 hours`
    case 'month':
      return t`${count} of ${max} requests used this month`
    case 'conc':
      return t`${count} of ${max} concurrent requests`
  }
}
