import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { useQuery } from '@tanstack/react-query'
import { FileText, KeyRound, type LucideIcon } from 'lucide-react'
import { i18n } from '../language/i18n.ts'
import { useLanguage } from '../language/use-language.ts'
import { keysQuery } from '../pages/api-keys/api-keys.queries.ts'
import { paths } from '../paths.ts'
import { useLocation } from '../router.ts'
import { FLAGS, hasFlag } from '../session/features.ts'
import { useUser } from '../session/use-session.ts'
import type { Command } from './commands.ts'
import { docsQuery } from './doc-entries.ts'
import { FOUND_BY, labelOf } from './found-by.ts'
import type { Entry } from './results.ts'

/** `path`: the page of an entry that is not a command. */
export type PaletteEntry = Entry & { Icon: LucideIcon; path?: string }

/** Everything that the search box finds: commands, the account's keys, and the documentation. */
export function useEntries(commands: readonly Command[]): PaletteEntry[] {
  const { pathname, search } = useLocation()
  const user = useUser()
  const keys = useQuery({ ...keysQuery, refetchInterval: false, enabled: hasFlag(user, FLAGS.apiKeys) })
  const docs = useQuery(docsQuery(useLanguage()))
  const isCurrentPage = (command: Command): boolean =>
    'to' in command && command.group === 'pages' && command.to({ pathname, search }) === pathname
  const listed = commands.filter((command) => !('where' in command) && command.id !== 'palette')
  return [
    ...listed.map((command) => ({
      id: command.id,
      group: command.group,
      label: labelOf(command),
      note: isCurrentPage(command) ? t`current page` : undefined,
      words: wordsOf(command.id),
      keys: command.keys,
      Icon: command.Icon ?? FOUND_BY[command.id]?.Icon ?? FileText,
    })),
    ...(keys.data ?? []).map(entryOfKey),
    ...(docs.data ?? []),
  ]
}

function wordsOf(id: string): string | undefined {
  const words = FOUND_BY[id]?.words
  return words === undefined ? undefined : i18n._(words)
}

function entryOfKey({ id, name, prefix, description }: ApiKey): PaletteEntry {
  const path = `${paths.apiKeys}?${new URLSearchParams({ find: name }).toString()}`
  return { id: `key:${id}`, group: 'keys', label: name, note: prefix, words: description ?? '', Icon: KeyRound, path }
}
