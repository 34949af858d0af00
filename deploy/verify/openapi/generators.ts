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

/** `{tools}`, `{document}` and `{out}` in a command stand for folders and the document. */
export type Command = readonly string[]
export type Toolset = 'npm' | 'python' | 'java'
export type Generator = {
  name: string
  /** Installed in this order. */
  toolsets: readonly Toolset[]
  /** Programs that must be on the PATH, besides those of the toolsets. */
  needs: readonly string[]
  generate: Command
  /** Run in the generated folder. */
  compile: Command | undefined
  /** Five calls with the generated client; undefined for a linter. */
  calls?: { program: Program; run: readonly Command[] }
}

const bin = '{tools}/npm/node_modules/.bin'
const TSC = [
  `${bin}/tsc --noEmit --strict --skipLibCheck --target es2022 --lib es2022,dom,dom.iterable`,
  '--module preserve --moduleResolution bundler',
].join(' ')
/** Bundled, because generated imports name no extension. */
const RUN_TYPESCRIPT: readonly Command[] = [
  ['ln', '-s', '{tools}/npm/node_modules', '{out}/node_modules'],
  [...TSC.split(' '), 'calls.ts'],
  [`${bin}/esbuild`, 'calls.ts', '--bundle', '--platform=node', '--format=esm', '--outfile=calls.mjs'],
  ['node', 'calls.mjs'],
]
const openApiGenerator = (name: string): Command =>
  `java -jar {tools}/java/openapi-generator-cli.jar generate -i {document} -g ${name} -o {out}`.split(' ')

const PYTHON_RUNTIME = ['urllib3==2.8.0', 'python-dateutil==4.0.0', 'pydantic==2.14.4', 'typing-extensions==4.16.0']
/** What installs the programs of a toolset into `{tools}/<toolset>`, in pinned versions. */
export const TOOLSETS: Record<Toolset, { needs: readonly string[]; install: readonly Command[] }> = {
  npm: {
    needs: ['npm'],
    install: [
      [
        ...'npm install --prefix {tools}/npm --no-save --no-audit --no-fund --ignore-scripts'.split(' '),
        'openapi-typescript@7.13.0',
        '@hey-api/openapi-ts@0.99.0',
        '@stoplight/spectral-cli@6.16.3',
        'typescript@5.9.3',
        'openapi-fetch@0.17.0',
        'esbuild@0.25.12',
      ],
    ],
  },
  python: {
    needs: ['python3'],
    install: [
      ['python3', '-m', 'venv', '{tools}/python'],
      ['{tools}/python/bin/pip', 'install', '--quiet', 'openapi-python-client==0.29.1'],
    ],
  },
  java: {
    needs: ['java', 'mvn'],
    install: [
      [
        'mvn',
        '-q',
        '-B',
        'dependency:copy',
        '-Dartifact=org.openapitools:openapi-generator-cli:7.25.0',
        '-DoutputDirectory={tools}/java',
        '-Dmdep.stripVersion=true',
      ],
      ['python3', '-m', 'venv', '{tools}/java/python'],
      ['{tools}/java/python/bin/pip', 'install', '--quiet', ...PYTHON_RUNTIME],
    ],
  },
}

/** Linters and generators of clients that must accept the document, each with what compiles their result. */
export const GENERATORS: readonly Generator[] = [
  {
    name: 'Spectral',
    toolsets: ['npm'],
    needs: [],
    generate: [`${bin}/spectral`, 'lint', '--fail-severity', 'error', '-r', '{tools}/spectral.yaml', '{document}'],
    compile: undefined,
  },
  {
    name: 'openapi-typescript',
    toolsets: ['npm'],
    needs: [],
    generate: [`${bin}/openapi-typescript`, '{document}', '-o', '{out}/api.ts'],
    compile: [...TSC.split(' '), 'api.ts'],
    calls: { program: openApiTypeScriptCalls, run: RUN_TYPESCRIPT },
  },
  {
    name: 'hey-api',
    toolsets: ['npm'],
    needs: [],
    generate: [`${bin}/openapi-ts`, '-i', '{document}', '-o', '{out}', '--silent'],
    compile: [...TSC.split(' '), 'index.ts'],
    calls: { program: heyApiCalls, run: RUN_TYPESCRIPT },
  },
  {
    name: 'openapi-python-client',
    toolsets: ['python'],
    needs: [],
    generate: [
      ...'{tools}/python/bin/openapi-python-client generate --meta none --overwrite'.split(' '),
      '--path',
      '{document}',
      '--output-path',
      '{out}/client',
    ],
    compile: ['{tools}/python/bin/python', '-m', 'compileall', '-q', 'client'],
    calls: { program: pythonClientCalls, run: [['{tools}/python/bin/python', 'calls.py']] },
  },
  {
    name: 'openapi-generator typescript-fetch',
    toolsets: ['npm', 'java'],
    needs: [],
    generate: openApiGenerator('typescript-fetch'),
    compile: [...TSC.split(' '), 'index.ts'],
    calls: { program: typeScriptFetchCalls, run: RUN_TYPESCRIPT },
  },
  {
    name: 'openapi-generator python',
    toolsets: ['java'],
    needs: ['python3'],
    generate: openApiGenerator('python'),
    compile: ['python3', '-m', 'compileall', '-q', 'openapi_client'],
    calls: { program: pythonCalls, run: [['{tools}/java/python/bin/python', 'calls.py']] },
  },
  {
    name: 'openapi-generator go',
    toolsets: ['java'],
    needs: ['go'],
    generate: openApiGenerator('go'),
    compile: ['go', 'build', './...'],
    calls: { program: goCalls, run: [['go', 'run', './calls']] },
  },
  {
    name: 'openapi-generator java',
    toolsets: ['java'],
    needs: [],
    generate: openApiGenerator('java'),
    compile: ['mvn', '-q', '-B', '-Dmaven.test.skip=true', 'compile'],
    calls: {
      program: javaCalls,
      run: [
        [
          ...'mvn -q -B -Dmaven.test.skip=true compile dependency:copy-dependencies'.split(' '),
          '-DincludeScope=runtime',
          '-DoutputDirectory=target/lib',
        ],
        ['java', '-cp', 'target/classes:target/lib/*', 'Calls'],
      ],
    },
  },
]
