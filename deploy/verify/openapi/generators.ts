import type { Command, Toolset } from './toolsets.ts'
import {
  goCalls,
  heyApiCalls,
  javaCalls,
  openApiTypeScriptCalls,
  type Program,
  pythonCalls,
  pythonClientCalls,
  typeScriptFetchCalls,
} from './five-calls.ts'

export type Generator = {
  name: string
  /** All are installed before the generator runs. */
  toolsets: readonly Toolset[]
  /** Programs that must be on the PATH, besides those of the toolsets. */
  needs: readonly string[]
  /** A command, or a generator of openapi-generator: one process runs all of those. */
  generate: Command | { openApiGenerator: string }
  /** Five calls with the generated client; undefined for a linter. */
  calls?: {
    program: Program
    /** Run in the generated folder, with the program in it. */
    compile: readonly Command[]
    run: Command
  }
}

const bin = '{tools}/npm/node_modules/.bin'
/** Compiles the whole client and the program with the compiler of this repository; bundled, because generated imports name no extension. */
const typeScript = (program: Program, client: string): NonNullable<Generator['calls']> => ({
  program,
  compile: [
    ['ln', '-s', '{tools}/npm/node_modules', '{out}/node_modules'],
    [
      ...'{repository}/node_modules/.bin/tsc --noEmit --strict --skipLibCheck --target es2022'.split(' '),
      ...'--lib es2022,dom,dom.iterable --module preserve --moduleResolution bundler'.split(' '),
      ...'--ignoreConfig --checkers 1'.split(' '),
      client,
      program.file,
    ],
    [`${bin}/esbuild`, program.file, '--bundle', '--platform=node', '--format=esm', '--outfile=calls.mjs'],
  ],
  run: ['node', 'calls.mjs'],
})
const python = (program: Program, client: string): NonNullable<Generator['calls']> => ({
  program,
  compile: [['{tools}/python/bin/python', '-m', 'compileall', '-q', client, program.file]],
  run: ['{tools}/python/bin/python', program.file],
})

/** Linters and generators of clients that must accept the document, each with what compiles their result. */
export const GENERATORS: readonly Generator[] = [
  {
    name: 'Spectral',
    toolsets: ['npm'],
    needs: [],
    generate: [`${bin}/spectral`, 'lint', '--fail-severity', 'error', '-r', '{tools}/spectral.yaml', '{document}'],
  },
  {
    name: 'openapi-typescript',
    toolsets: ['npm'],
    needs: [],
    generate: [`${bin}/openapi-typescript`, '{document}', '-o', '{out}/api.ts'],
    calls: typeScript(openApiTypeScriptCalls, 'api.ts'),
  },
  {
    name: 'hey-api',
    toolsets: ['npm'],
    needs: [],
    generate: [`${bin}/openapi-ts`, '-i', '{document}', '-o', '{out}', '--silent'],
    calls: typeScript(heyApiCalls, 'index.ts'),
  },
  {
    name: 'openapi-python-client',
    toolsets: ['python'],
    needs: [],
    generate: [
      ...'{tools}/python/bin/openapi-python-client generate --meta none --overwrite'.split(' '),
      ...'--path {document} --output-path {out}/client'.split(' '),
    ],
    calls: python(pythonClientCalls, 'client'),
  },
  {
    name: 'openapi-generator typescript-fetch',
    toolsets: ['npm', 'java'],
    needs: [],
    generate: { openApiGenerator: 'typescript-fetch' },
    calls: typeScript(typeScriptFetchCalls, 'index.ts'),
  },
  {
    name: 'openapi-generator python',
    toolsets: ['python', 'java'],
    needs: [],
    generate: { openApiGenerator: 'python' },
    calls: python(pythonCalls, 'openapi_client'),
  },
  {
    name: 'openapi-generator go',
    toolsets: ['java'],
    needs: ['go'],
    generate: { openApiGenerator: 'go' },
    calls: {
      program: goCalls,
      // All of the client is one package.
      compile: [['go', 'build', '-mod=mod', '-o', 'calls.bin', './calls']],
      run: ['{out}/calls.bin'],
    },
  },
  {
    name: 'openapi-generator java',
    toolsets: ['java'],
    needs: [],
    generate: { openApiGenerator: 'java' },
    calls: {
      program: javaCalls,
      compile: [
        ['sh', '-c', "find src/main/java -name '*.java' > sources.txt"],
        [
          ...'javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -proc:none -nowarn -Xlint:none'.split(' '),
          ...'-d target -cp {tools}/java/client/* @sources.txt'.split(' '),
        ],
      ],
      run: ['java', '-cp', 'target:{tools}/java/client/*', 'Calls'],
    },
  },
]
