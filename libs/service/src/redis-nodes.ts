/** Addresses of a cluster's first nodes; undefined: the address is one server's. */
export function clusterNodesOf(url: string): URL[] | undefined {
  const nodes = url.split(',').map((one) => one.trim())
  if (nodes.length === 1 && !/[?&]cluster=true(&|$)/.test(url)) return undefined
  return nodes.filter((one) => one !== '').map((one) => new URL(one))
}
