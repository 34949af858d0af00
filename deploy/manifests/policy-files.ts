import { stringify } from 'yaml'
import { EDGES_FILE, readEdges } from './edges.ts'
import { networkPolicies, type Place } from './network-policies.ts'

export const POLICY_FILES: Record<Place, string> = {
  base: 'k8s/base/network-policies.yaml',
  local: 'k8s/overlays/local/network-policies.yaml',
  production: 'k8s/overlays/production/network-policies.yaml',
}

/** The text of a file of network policies, as kustomize reads it. */
export function policyFile(place: Place): string {
  const documents = networkPolicies(readEdges(), place).map((one) => stringify(one, { aliasDuplicateObjects: false }))
  return `# Written from ${EDGES_FILE} by: npm run golden\n${documents.join('---\n')}`
}
