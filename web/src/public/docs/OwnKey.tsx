import { t } from '@lingui/core/macro'
import { paths } from '../../paths.ts'

/** Lists the keys of a signed-in user, without their secrets, which the platform does not store. */
export function OwnKey() {
  return (
    <div
      className="own-key for-signed-in"
      data-island="own-key"
      data-keys-path={paths.apiKeys}
      data-words={JSON.stringify({
        yours: t`Your keys`,
        none: t`You have no active key yet.`,
        create: t`Create a key`,
        secret: t`Complete the line with your full key, which was shown only when it was created.`,
        copy: t`Copy this line`,
        copied: t`Copied`,
        failed: t`Your keys could not be loaded. They are under API Keys.`,
      })}
    />
  )
}
