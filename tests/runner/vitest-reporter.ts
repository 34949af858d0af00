import { writeSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { FileReport, TestReport } from './file-report.ts'

const CHANNEL = 3
const ERROR_CHARACTERS_MAX = 300

/** Writes one line of JSON per finished test file to file descriptor 3, for the runner. */
export default class RunnerReporter implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const report: FileReport = {
      file: relative(process.cwd(), module.moduleId),
      durationMs: Math.round(module.diagnostic().duration + module.diagnostic().collectDuration),
      broken: module.errors().length > 0,
      tests: [...module.children.allTests()].map(reportTest),
    }
    writeSync(CHANNEL, `${JSON.stringify(report)}\n`)
  }
}

function reportTest(test: TestCase): TestReport {
  const result = test.result()
  const note = result.state === 'skipped' ? result.note : result.errors?.map(shortly).join(' | ')
  return { name: test.fullName, state: result.state, ...(note === undefined ? {} : { note }) }
}

function shortly({ message }: { message: string }): string {
  return message.replaceAll(/\s+/g, ' ').slice(0, ERROR_CHARACTERS_MAX)
}
