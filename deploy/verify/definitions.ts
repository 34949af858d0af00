import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '../local/folders.ts'

type Bundle = { kinds: Record<string, object> }

/**
 * Definitions of the controllers' kinds from the committed schemas, so that a bare API server accepts and validates
 * them.
 */
export function definitions(): object[] {
  const file = join(REPOSITORY, 'deploy', 'schemas', 'custom-resources.json')
  const { kinds } = JSON.parse(readFileSync(file, 'utf8')) as Bundle
  return Object.entries(kinds).map(([name, schema]) => {
    const [group = '', version = '', kind = ''] = name.split('/')
    const plural = `${kind.toLowerCase()}s`
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {
        name: `${plural}.${group}`,
        // The API server requires it for groups of Kubernetes itself.
        annotations: { 'api-approved.kubernetes.io': 'unapproved, a copy for tests' },
      },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
        versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: structural(schema) } }],
      },
    }
  })
}

/** Schema as the API server requires it: closed, without the built-in metadata, two types as extension fields. */
function structural(schema: object): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === 'additionalProperties' && value === false) return undefined
    if (typeof value !== 'object' || value === null) return value
    if ('$ref' in value) return { type: 'object' }
    if ('type' in value && Array.isArray(value.type)) return { 'x-kubernetes-int-or-string': true }
    return value
  })
}
