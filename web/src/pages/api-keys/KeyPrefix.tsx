import { msg, t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { Copy, Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { showToast } from '../../ui/toasts/Toasts.tsx'

const CANNOT_COPY = msg`Cannot copy masked API key. Keys are only shown once during creation.`
const COPY_FAILED = msg`Failed to copy API key to clipboard.`

/** The public prefix or sixteen bullets; the eye button switches between them. Lists never contain the secret. */
export function KeyPrefix({ apiKey }: { apiKey: ApiKey }) {
  const [isShown, setShown] = useState(true)
  const Icon = isShown ? Eye : EyeOff
  return (
    <div className="secret">
      <code>{isShown ? `${apiKey.prefix}…` : apiKey.api_key}</code>
      <Button
        variant="quiet"
        size="small"
        isIconOnly
        aria-label={`${isShown ? t`Mask` : t`Show prefix of`} ${apiKey.name}`}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
        icon={<Icon className="icon" aria-hidden="true" />}
      />
      {isShown ? (
        <CopyButton
          text={apiKey.prefix}
          label={t`Copy prefix of ${apiKey.name}`}
          size="small"
          onFailed={() => showToast({ type: 'error', title: i18n._(COPY_FAILED) })}
        />
      ) : (
        <Button
          variant="quiet"
          size="small"
          isIconOnly
          aria-label={t`Copy ${apiKey.name}`}
          onClick={() => showToast({ type: 'warning', title: i18n._(CANNOT_COPY) })}
          icon={<Copy className="icon" aria-hidden="true" />}
        />
      )}
    </div>
  )
}
