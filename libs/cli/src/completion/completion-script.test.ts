import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { runCli } from '../../test/run-cli.fixture.ts'

test('bash completes commands, second words, options and their values', async () => {
  const { out: script } = await runCli(['completion', 'bash'])
  const offers = (line: string): string[] => {
    const words = line.split(' ')
    const quoted = words.map((word) => `'${word}'`).join(' ')
    const code = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _tapeline; echo "\${COMPREPLY[*]}"`
    return execFileSync('bash', ['-c', `${script}\n${code}`], { encoding: 'utf8' })
      .trim()
      .split(' ')
  }
  expect(offers('tapeline ')).toEqual(
    'login logout trades l2 book bars instruments stream files limits keys usage requests webhooks config completion'.split(
      ' ',
    ),
  )
  expect(offers('tapeline tr')).toEqual(['trades'])
  expect(offers('tapeline files ')).toEqual(['list', 'download'])
  expect(offers('tapeline files download --s')).toEqual(['--symbol', '--since'])
  expect(offers('tapeline trades --format t')).toEqual(['table'])
  expect(offers('tapeline l2 BTC-USDT --type ')).toEqual(['snapshot', 'update', 'clear', 'gap'])
  expect(offers('tapeline stream --channel b')).toContain('bars.1d')
  expect(offers('tapeline files list --channel ')).toEqual(['trades', 'l2events'])
  expect(offers('tapeline config use --')).toEqual(['--help'])
})

test('zsh and fish get a line for each command and its options', async () => {
  const { out: zsh } = await runCli(['completion', 'zsh'])
  expect(zsh).toMatch(/^#compdef tapeline\n/)
  expect(zsh).toContain('*" files download "*) offered="--to ')
  const { out: fish } = await runCli(['completion', 'fish'])
  const line =
    /^complete -c tapeline -n "__fish_seen_subcommand_from files; and __fish_seen_subcommand_from list" -l until -r -d/m
  expect(fish).toMatch(line)
  expect(fish).toMatch(/-l side -r -a "buy sell unknown"/)
})
