import { t } from '@lingui/core/macro'
import { Plus } from 'lucide-react'
import { publicApiUrl } from '../../platform.ts'
import { Button } from '../../ui/Button.tsx'
import { Command } from '../../ui/Command.tsx'
import { Bone } from '../../ui/Skeleton.tsx'
import { placeholderSlots, Tape } from '../../ui/Tape.tsx'

const GHOST_OPACITIES = [1, 0.6, 0.3]
const MINUTES = 60

export function NoKeys({ onCreate }: { onCreate: () => void }) {
  return (
    <section className="panel" aria-labelledby="no-keys">
      <div className="preview" aria-hidden="true">
        {GHOST_OPACITIES.map((opacity) => (
          <div className="prow" key={opacity} style={{ opacity }}>
            <div>
              <Bone widthPx={112} />
              <Bone widthPx={196} />
            </div>
            <Tape label="" slots={placeholderSlots(MINUTES)} now="none" isOff heightPx={44} />
          </div>
        ))}
      </div>
      <div className="invite">
        <div>
          <h2 className="size-20" id="no-keys">
            {t`No API Keys Yet`}
          </h2>
          <p className="muted">
            {t`Each key has a chart like the one above: one bar per minute, served requests above the line, all others below.`}
          </p>
          <Button variant="primary" icon={<Plus className="icon" aria-hidden="true" />} onClick={onCreate}>
            {t`Create Your First API Key`}
          </Button>
        </div>
        <div>
          <p className="muted small">{t`Try the data without a key`}</p>
          <Command>{`curl -s ${publicApiUrl}/api/v1/sample/BTC-USDT`}</Command>
          <p className="hint">
            {t`A key is shown in full once, when it is created. We keep only its hash, so it cannot be shown again.`}
          </p>
        </div>
      </div>
    </section>
  )
}
