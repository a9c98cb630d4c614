import { describe, expect, test } from 'vitest'
import { type DevProblem, overlayOf } from '#server-kit/http/dev-pages.ts'

const problem = (file: string, line: number, more: Partial<DevProblem> = {}): DevProblem => ({
  file,
  line,
  pointer: '/body/0/widget',
  message: 'there is no widget "tetx"',
  ...more,
})
const text = Array.from({ length: 9 }, (_, i) => `line ${i + 1}`).join('\n')

describe('the overlay of mistakes in documents', () => {
  test('names file, line and message of the first, with the lines around it', () => {
    const { err } = overlayOf([problem('schemas/a.json', 5, { suggestion: 'text' })], true, '/project', () => text)!
    expect(err.loc).toEqual({ file: '/project/schemas/a.json', line: 5, column: 1 })
    expect(err.message).toContain('/body/0/widget there is no widget "tetx"; did you mean "text"?')
    expect(err.frame.split('\n')).toEqual([
      '     2 | line 2',
      '     3 | line 3',
      '     4 | line 4',
      '>    5 | line 5',
      '     6 | line 6',
      '     7 | line 7',
      '     8 | line 8',
      '',
    ])
    expect(err.stack).toBe('')
  })
  test.for([
    [true, 'The last documents without mistakes are shown.'],
    [false, 'Nothing can be shown until the mistakes are corrected.'],
  ] as const)('says what stands below it: a release %j', ([hasRelease, sentence]) => {
    expect(overlayOf([problem('schemas/a.json', 5)], hasRelease, '/project', () => text)!.err.message).toContain(sentence)
  })
  test('lists the others, and says how many it leaves out', () => {
    const many = Array.from({ length: 40 }, (_, i) => problem('schemas/a.json', i + 1))
    const lines = overlayOf(many, true, '/project', () => undefined)!.err.stack.split('\n')
    expect(lines[0]).toBe('schemas/a.json:2 /body/0/widget there is no widget "tetx"')
    expect(lines).toHaveLength(31)
    expect(lines.at(-1)).toBe('and 9 more')
  })
  test('is none without problems', () => {
    expect(overlayOf([], true, '/project', () => text)).toBeUndefined()
  })
})
