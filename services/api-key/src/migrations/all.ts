import { createApiKey } from './0001-create-api-key.ts'
import { addNetworksAndLimits } from './0002-add-networks-and-limits.ts'
import { addKeyLife } from './0003-add-key-life.ts'
import { addServiceKeys } from './0004-add-service-keys.ts'
import { addKeyTags } from './0005-add-key-tags.ts'
import { addLeaks } from './0010-add-leaks.ts'
import { addImportedSecrets } from './0011-add-imported-secrets.ts'
import { addShadowLimits } from './0012-add-shadow-limits.ts'

export const migrations = {
  '0001-create-api-key': createApiKey,
  '0002-add-networks-and-limits': addNetworksAndLimits,
  '0003-add-key-life': addKeyLife,
  '0004-add-service-keys': addServiceKeys,
  '0005-add-key-tags': addKeyTags,
  '0010-add-leaks': addLeaks,
  '0011-add-imported-secrets': addImportedSecrets,
  '0012-add-shadow-limits': addShadowLimits,
}
