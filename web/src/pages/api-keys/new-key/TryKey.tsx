import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { paths } from '../../../paths.ts'
import { publicApiUrl } from '../../../platform.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Segmented } from '../../../ui/Segmented.tsx'
import type { HeldSecret } from './hold-secret.ts'

type Language = 'curl' | 'python'

/** Code that contains the new key when it is copied; the displayed text contains a placeholder. */
export function TryKey({ secret, onCopied }: { secret: HeldSecret; onCopied: () => void }) {
  const [language, setLanguage] = useState<Language>('curl')
  const isService = secret.key.kind === 'service'
  const isPython = language === 'python'
  const code = () => (isPython ? pythonOf(secret) : commandOf(secret))
  return (
    <div className="field">
      <div className="row">
        <span className="label">{t`Try it`}</span>
        {!isService && (
          <span className="end">
            <Segmented
              label={t`Language`}
              value={language}
              onChoose={setLanguage}
              options={[
                { value: 'curl', label: 'curl' },
                { value: 'python', label: 'Python' },
              ]}
            />
          </span>
        )}
      </div>
      <div className="command">
        <code className="clip">
          {isPython ? 'for trade in client.stream(…): print(trade)' : `curl -s ${urlOf(secret)} …`}
        </code>
        <CopyButton
          text={code}
          label={isPython ? t`Copy the Python code with this key` : t`Copy the command with this key`}
          onCopied={onCopied}
        />
      </div>
      {isPython && (
        <p className="hint">
          <Trans>
            Five lines that print trades as they happen. Needs the{' '}
            <a className="link" href={paths.sdk}>
              Python client
            </a>
            .
          </Trans>
        </p>
      )}
    </div>
  )
}

/** Every key may read the remaining limits. */
function urlOf({ key }: HeldSecret): string {
  return `${publicApiUrl}/api/v1/${key.kind === 'service' ? 'limits' : 'trades/list'}`
}

function commandOf(secret: HeldSecret): string {
  const body =
    secret.key.kind === 'service' ? '' : ` -H 'Content-Type: application/json' -d '{"venues":["sim"],"limit":3}'`
  return `curl -s ${urlOf(secret)} -H 'Authorization: Bearer ${secret.read()}'${body}`
}

function pythonOf(secret: HeldSecret): string {
  return `from tapeline import Tapeline

client = Tapeline(api_key="${secret.read()}", base_url="${publicApiUrl}")
for trade in client.stream(channel="trades", symbols=["BTC-USDT"]):
    print(trade["ts_event"], trade["side"], trade["size"], trade["price"])
`
}
