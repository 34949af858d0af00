/** An installed package in npm's lock file. */
type Installed = {
  version?: string
  license?: string
  integrity?: string
  deprecated?: string
  link?: boolean
  hasInstallScript?: boolean
}
export type LockFile = { packages: Record<string, Installed> }
export type MinVersions = Record<string, { atLeast: string; because: string }>
export type LockRules = { minVersions: MinVersions; allowScripts: Record<string, boolean> }

/** Licences compatible with Apache 2.0. MPL covers its own files only, OFL fonts, CC-BY a table of browsers. */
const LICENSES = new Set(
  '0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 CC-BY-4.0 CC0-1.0 ISC MIT MIT-0 MPL-2.0 OFL-1.1 Python-2.0 Unlicense'.split(
    ' ',
  ),
)
/** MIT packages whose package.json has the old list "licenses", which npm does not copy. */
const LICENSE_NAMES = new Set(['buildcheck', 'cpu-features', 'ssh2'])

/** Violations in the lock file, one sentence each. */
export function checkLockFile({ packages }: LockFile, rules: LockRules): string[] {
  return Object.entries(packages).flatMap(([path, installed]) => {
    const name = path.split('node_modules/').at(-1) ?? ''
    if (!path.includes('node_modules/') || installed.link === true) return []
    return faultsOf(name, installed, rules).map((message) => `${name} ${installed.version}: ${message}`)
  })
}

function faultsOf(name: string, installed: Installed, { minVersions, allowScripts }: LockRules): string[] {
  const { version = '', license, integrity, deprecated, hasInstallScript = false } = installed
  const { atLeast = version, because = '' } = minVersions[name] ?? {}
  const wrong: [boolean, string][] = [
    [!isAllowed(license) && !LICENSE_NAMES.has(name), `its license ${license} is not one of those allowed`],
    [!isAtLeast(version, atLeast), `${atLeast} is the least (${because})`],
    [integrity === undefined, 'its content is not pinned by a hash'],
    [deprecated !== undefined, `its authors gave it up: ${deprecated}`],
    [hasInstallScript && !(name in allowScripts), 'runs an install script that was not reviewed'],
  ]
  return wrong.flatMap(([isWrong, message]) => (isWrong ? [message] : []))
}

/** `A OR B` needs one of them, `A AND B` both. */
function isAllowed(license = ''): boolean {
  const choices = license.replaceAll(/[()]/g, '').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((one) => LICENSES.has(one)))
}

function isAtLeast(version: string, least: string): boolean {
  return compare(numbersOf(version), numbersOf(least)) >= 0
}

function numbersOf(version: string): number[] {
  return version.split('-')[0]?.split('.').map(Number) ?? []
}

function compare(one: readonly number[], other: readonly number[]): number {
  const n = one.findIndex((part, at) => part !== other[at])
  return n === -1 ? 0 : (one[n] ?? 0) - (other[n] ?? 0)
}
