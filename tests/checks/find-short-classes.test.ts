import { expect, test } from 'vitest'
import { findShortClasses } from './find-short-classes.ts'
import { temporaryTree } from './temporary-tree.ts'

const found = (css: string) =>
  findShortClasses(temporaryTree({ 'web/src/pages/a.css': css })).map(({ message }) => message)

test('a class name of fewer than four letters is reported once, unless it is a known word', () => {
  const css = '.t2 {}\n.row > .t2:not(.lat),\n.panel::before { top: .5em }\n@media (min-width: 37.5rem) { .sz b {} }\n'
  expect(found(css)).toEqual(
    ['t2', 'lat', 'sz'].map((name) => `has the class .${name}: a class name is a word that says what it is`),
  )
})

test('words, comments and values are not reported', () => {
  expect(found('.row .top { width: calc(.5 * 1.x) }\n/* .t2 { } */\n.nav a { background: url(a.svg) }\n')).toEqual([])
})
