import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.each([
  [['plain', 7, null], 'plain,7,'],
  [['=1+1', '+1', '-1', '@now', '\tx'], "'=1+1,'+1,'-1,'@now,'\tx"],
  [['a,b', 'say "hi"', 'two\nlines'], '"a,b","say ""hi""","two\nlines"'],
  [['\r=cmd', '=HYPERLINK("x")'], `"'\r=cmd","'=HYPERLINK(""x"")"`],
  [['größe', -1], 'größe,-1'],
])('%j is %s', (cells, line) => {
  expect(csvLine(cells)).toBe(`${line}\r\n`)
})
