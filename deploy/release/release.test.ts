import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { hasHelm } from '../manifests/chart/render-chart.ts'
import { notesOf, notesOfDryRun, readVersions, versionOf } from './release-notes.ts'

vi.setConfig({ testTimeout: 300_000 })

test('the product and its packages state one version', () => {
  expect(versionOf(readVersions())).toMatch(/^\d+\.\d+\.\d+$/)
  const differing = [...readVersions(), { file: 'libs/other/package.json', version: '9.9.9' }]
  expect(() => versionOf(differing)).toThrow('libs/other/package.json states 9.9.9')
  expect(() => versionOf([{ file: 'package.json', version: '1.0' }])).toThrow('1.0 is not a semantic version')
})

test('the notes of a release are its section of the changelog', () => {
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n## [1.1.0]\n\n### Added\n\n- A thing.\n\n## [1.0.0]\n\n- First.\n'
  expect(notesOf(changelog, '1.1.0')).toBe('### Added\n\n- A thing.\n')
  expect(() => notesOf(changelog, 'Unreleased')).toThrow('[Unreleased] of CHANGELOG.md is empty')
  expect(notesOfDryRun(changelog, '1.1.0')).toBe('### Added\n\n- A thing.\n')
  expect(notesOfDryRun(changelog.replace('[Unreleased]\n', '[Unreleased]\n\n- Next.\n'), '1.1.0')).toBe('- Next.\n')
  expect(() => notesOf(changelog, '2.0.0')).toThrow('no section [2.0.0]')
})

test('a dry run builds packages, manifests, document, SBOM, notes and checksums', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tapeline-release-test-'))
  try {
    const command = [join(import.meta.dirname, 'release.ts'), '--dry-run', '--into', dir]
    // Asynchronously: the test runner ends a worker that does not answer for a minute.
    await promisify(execFile)(process.execPath, command)
    const version = versionOf(readVersions())
    const files = readdirSync(dir)
    expect(files).toEqual(
      expect.arrayContaining([
        'NOTES.md',
        'SHA256SUMS',
        'kubernetes-local.yaml',
        'kubernetes-production.yaml',
        'openapi.json',
        'sbom.cdx.json',
        `tapeline-cli-${version}.tgz`,
        `tapeline-client-${version}.tgz`,
        `tapeline-mcp-${version}.tgz`,
        `tapeline-source-${version}.tar.gz`,
        ...(hasHelm() ? [`tapeline-chart-${version}.tgz`] : []),
      ]),
    )
    const sums = readFileSync(join(dir, 'SHA256SUMS'), 'utf8').trim().split('\n')
    const sum = (file: string) =>
      createHash('sha256')
        .update(readFileSync(join(dir, file)))
        .digest('hex')
    const summed = files.filter((file) => file !== 'SHA256SUMS')
    expect(sums.toSorted()).toEqual(summed.map((file) => `${sum(file)}  ${file}`).toSorted())
    const packed = execFileSync('tar', ['-tzf', `tapeline-client-${version}.tgz`], { cwd: dir, encoding: 'utf8' })
    expect(packed).toContain('package/dist/client.d.ts')
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
