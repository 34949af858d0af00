import { findApiPrograms, findNodePrograms } from '../cluster-programs.ts'
import { startApiServer } from '../api-server.ts'
import { takeTour } from '../tour-of-containers.ts'
import { verify } from '../verdicts.ts'
import { applyOverlay } from './apply-overlay.ts'
import { openInside } from './inside.ts'
import { makeNetwork } from './network.ts'
import { makeOwnFolders } from './own-folders.ts'
import { makePauseImage } from './pause-image.ts'
import { reachServices, withPagesForwarded } from './reach-services.ts'
import { restartUnderLoad } from './restart-under-load.ts'
import { backUp, waitForJob, waitForRollout } from './rollout.ts'
import { importImages, startContainerd } from './start-containerd.ts'
import { startNode } from './start-node.ts'

// node verify-node.ts <folder> <cgroup> <images.tar>, in separate namespaces (own-namespaces.ts): whatever it starts, mounts and
// sets up ends with them.
const [dir = '', cgroup = '', images = ''] = process.argv.slice(2)

await verify(async ({ check }) => {
  const inside = openInside(dir, cgroup, findNodePrograms())
  await makeOwnFolders(inside)
  await makeNetwork(inside)
  const isThere = await check('containerd', () => startContainerd(inside))
  if (!isThere) return console.log(inside.outputTail())
  await check('the images', async () => {
    await importImages(inside, await makePauseImage(inside))
    return importImages(inside, images)
  })
  const programs = findApiPrograms()
  const api = await startApiServer(programs)
  const isReady = await check('a node that is ready', () => startNode(inside, api))
  if (!isReady) return console.log(inside.outputTail())
  const isApplied = await check('the overlay is applied without a warning', () => applyOverlay(inside, api))
  if (!isApplied) return
  await check('databases, tables, topics and rights are made', () => waitForJob(api.kubectl, 'migrate'))
  const isUp = await check('everything is rolled out', () => waitForRollout(api.kubectl))
  if (!isUp) return
  const reached = await reachServices(api, dir)
  await check('the tour, at pages that are forwarded', () =>
    withPagesForwarded(api, programs.kubectl, dir, (web) => takeTour({ ...reached, web })),
  )
  await check('databases are dumped and restored', () => backUp(api.kubectl))
  await check('restarted under load', () => restartUnderLoad(api, reached, dir))
})
// Everything ends with this process; nothing is stopped separately.
process.exit()
