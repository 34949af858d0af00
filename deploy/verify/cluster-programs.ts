import { StartProblem } from '../local/start-problem.ts'
import { findTool } from '../tools/find-tool.ts'

export type ApiPrograms = Record<'etcd' | 'kube-apiserver' | 'kubectl', string>

/** Every program is there, or all that are missing in one line. */
export function findApiPrograms(env: NodeJS.ProcessEnv = process.env): ApiPrograms {
  const found = (['etcd', 'kube-apiserver', 'kubectl'] as const).map((name) => [name, findTool(name, env)] as const)
  const missing = found.filter(([, program]) => program === undefined).map(([name]) => name)
  if (missing.length > 0) {
    throw new StartProblem(
      `${missing.join(', ')}: neither in .tapeline/tools nor on the PATH.`,
      'Build them: npm run setup:tools -- api (it needs Go, and about 10 minutes).',
    )
  }
  return Object.fromEntries(found) as ApiPrograms
}
