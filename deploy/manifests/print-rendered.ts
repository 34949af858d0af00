import { basename } from 'node:path'
import { OVERLAYS, render } from './render.ts'

// npm run render -- k8s/overlays/production: prints the manifests of an overlay, with placeholders instead of secrets.
const [folder = ''] = process.argv.slice(2)
const overlay = OVERLAYS.find((name) => name === basename(folder))
if (overlay === undefined) {
  console.error(`usage: npm run render -- ${OVERLAYS.map((name) => `k8s/overlays/${name}`).join(' | ')}`)
  process.exit(2)
}
process.stdout.write(render(overlay))
