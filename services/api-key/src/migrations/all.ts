import { createApiKey } from './0001-create-api-key.ts'
import { addNetworksAndLimits } from './0002-add-networks-and-limits.ts'
import { addKeyLife } from './0003-add-key-life.ts'

export const migrations = {
  '0001-create-api-key': createApiKey,
  '0002-add-networks-and-limits': addNetworksAndLimits,
  '0003-add-key-life': addKeyLife,
}
