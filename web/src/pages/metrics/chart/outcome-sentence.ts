import { plural } from '@lingui/core/macro'
import type { UsageReport } from '@tapeline/contracts/audit/http'

/** Describes an outcome strip in words. */
export function outcomeSentence({ success, denied, client_errors, server_errors }: UsageReport): string {
  const parts = [
    plural(success, { one: '# served', other: '# served' }),
    plural(denied, { one: '# throttled', other: '# throttled' }),
    plural(client_errors, { one: '# client error', other: '# client errors' }),
    plural(server_errors, { one: '# server error', other: '# server errors' }),
  ].join(', ')
  return `${parts}.`
}
