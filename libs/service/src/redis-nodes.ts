/** Addresses of a cluster's seed nodes; undefined when `url` is a single server. */
export function clusterNodesOf(url: string): URL[] | undefined {
  const nodes = url.split(',').map((one) => one.trim())
  if (nodes.length === 1 && !/[?&]cluster=true(&|$)/.test(url)) return undefined
  return nodes.filter((one) => one !== '').map((one) => new URL(one))
}
