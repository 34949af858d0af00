import { findFeedProblem } from './connect/check-feed.ts'
import { parseAddresses, parseConnect } from './connect/parse-connect.ts'

// Prints whether each feed of CONNECT can be reached; exit code 1 with one line per problem otherwise.
try {
  const { CONNECT = '', CONNECT_ADDRESSES = '' } = process.env
  const plans = parseConnect(CONNECT, parseAddresses(CONNECT_ADDRESSES))
  const found = await Promise.all(plans.map(async (plan) => ({ plan, problem: await findFeedProblem(plan) })))
  const problems = found.filter(({ problem }) => problem !== undefined)
  const lines =
    problems.length > 0
      ? problems.map(({ plan, problem }) => `${plan.name} cannot be reached at ${plan.addresses.socket}: ${problem}`)
      : found.map(({ plan }) => `${plan.name} reached`)
  process.stdout.write(`${lines.join('\n')}\n`)
  process.exitCode = problems.length > 0 ? 1 : 0
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
