import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `{tools}`, `{document}`, `{out}` and `{repository}` in a command stand for folders and the document. */
export type Command = readonly string[]
export type Toolset = 'npm' | 'python' | 'java'

const POM = join(import.meta.dirname, 'java', 'pom.xml')

/** What installs the programs of a toolset into `{tools}/<toolset>`, in pinned versions. */
export const TOOLSETS: Record<Toolset, { needs: readonly string[]; install: readonly Command[] }> = {
  npm: {
    needs: ['npm'],
    install: [
      [
        ...'npm install --prefix {tools}/npm --no-save --no-audit --no-fund --ignore-scripts --prefer-offline'.split(
          ' ',
        ),
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
      [
        ...'{tools}/python/bin/pip install --quiet'.split(' '),
        'openapi-python-client==0.29.1',
        'urllib3==2.8.0',
        'python-dateutil==4.0.0',
        'pydantic==2.14.4',
        'typing-extensions==4.16.0',
      ],
    ],
  },
  java: {
    needs: ['java', 'javac', 'mvn'],
    install: [['mvn', '-q', '-B', '-f', POM, '-Dout={tools}/java', 'process-resources']],
  },
}

/** Changes with the versions of the toolset: tools of another fingerprint are installed again. */
export function fingerprint(toolset: Toolset): string {
  return JSON.stringify([TOOLSETS[toolset], toolset === 'java' ? readFileSync(POM, 'utf8') : ''])
}
