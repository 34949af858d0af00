import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const MODULE = JSON.stringify(join(import.meta.dirname, 'run-command.ts'))

/** A process that runs a command with this body; its file is not among the arguments, so `x` replaces it. */
function run(body: string, ...args: string[]) {
  const code = `import { parseArgs } from 'node:util'
    import { runCommand, UsageError } from ${MODULE}
    await runCommand({ name: 'x', usage: 'Usage: x <file>\\n', run: async (args) => { ${body} } })`
  const { status, stdout, stderr } = spawnSync(process.execPath, [
    '--input-type=module-typescript',
    '-e',
    code,
    '--',
    'x',
    ...args,
  ])
  return { status, out: String(stdout), err: String(stderr) }
}

test('help is printed without running the command; the command decides on its exit code', () => {
  expect(run('throw new Error("ran")', '--help')).toEqual({ status: 0, out: 'Usage: x <file>\n', err: '' })
  expect(run('return args.length', 'a', 'b', 'c')).toEqual({ status: 3, out: '', err: '' })
})

test.each([
  ['parseArgs({ args, options: {} })', ['--lst'], "x: Unknown option '--lst'\n\nUsage: x <file>\n"],
  ['throw new UsageError("Name a file.")', [], 'x: Name a file.\n\nUsage: x <file>\n'],
])('wrong use is explained with the usage: %s', (body, args, err) => {
  expect(run(body, ...args)).toEqual({ status: 2, out: '', err })
})

test('other errors are one line, and a server that is not running is named with a remedy', () => {
  expect(run('throw new Error("The file is damaged.")')).toEqual({
    status: 1,
    out: '',
    err: 'x: The file is damaged.\n',
  })
  const refused = run('await (await import("node:events")).once((await import("node:net")).connect(1), "connect")')
  expect(refused).toMatchObject({ status: 1, out: '' })
  expect(refused.err).toMatch(
    /^x: .*ECONNREFUSED.*: the server cannot be reached\. Start the platform with npm start.*\n$/,
  )
})
