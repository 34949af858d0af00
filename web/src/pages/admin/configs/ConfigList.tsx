import { t } from '@lingui/core/macro'
import type { GlobalConfigs } from '@tapeline/contracts/config/global-configs'
import { StateBadge } from '../../../ui/StateBadge.tsx'
import { checkJson, writeJson } from './check-json.ts'
import type { Draft, Drafts } from './config-drafts.ts'

const PREVIEW_LINES = 3

type ConfigListProps = {
  configs: GlobalConfigs
  drafts: Drafts
  chosen: string | undefined
  onChoose: (key: string) => void
}

/** Every configuration with the first three lines of its current value. */
export function ConfigList({ configs, drafts, chosen, onChoose }: ConfigListProps) {
  return (
    <nav className="panel" aria-label={t`Configurations`}>
      <ul className="conf">
        {Object.entries(configs).map(([key, { value }]) => (
          <li key={key}>
            <button type="button" aria-current={key === chosen ? 'true' : undefined} onClick={() => onChoose(key)}>
              <span className="conf-name">
                <code>{key}</code>
                <DraftState draft={drafts[key]} />
              </span>
              <pre aria-hidden="true">{previewOf(value)}</pre>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function previewOf(value: unknown): string {
  return writeJson(value).split('\n').slice(0, PREVIEW_LINES).join('\n')
}

function DraftState({ draft }: { draft: Draft | undefined }) {
  if (draft === undefined) return null
  if (draft.failure !== undefined) return <StateBadge tone="bad">{t`failed`}</StateBadge>
  return checkJson(draft.text).ok ? (
    <StateBadge tone="live">{t`editing`}</StateBadge>
  ) : (
    <StateBadge tone="bad">{t`error`}</StateBadge>
  )
}
