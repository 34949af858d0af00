import { plural } from '@lingui/core/macro'
import type { UsageReport } from '@tapeline/contracts/audit/http'

/** Describes an outcome strip in words. */
export function outcomeSentence({ success, denied, client_errors, server_errors }: UsageReport): string {
  const parts = [
    plural(success, { one: '# served', other: '# served' }),
    plural(denied, { one: '# rejected by a limit', other: '# rejected by a limit' }),
    plural(client_errors, { one: '# client error', other: '# client errors' }),
    plural(server_errors, { one: '# server error', other: '# server errors' }),
  ].join(', ')
  return `${parts}.`
}
