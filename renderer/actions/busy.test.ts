import { describe, expect, test } from 'vitest'
import { type Busy, createBusy } from '#renderer/actions/busy.ts'

type Step = 'form' | 'prompt' | 'end form' | 'end prompt' | 'move' | 'ask' | 'ask again'
async function run(steps: readonly Step[]): Promise<{ freed: string[]; names: string[] }> {
  const busy: Busy = createBusy()
  const ends = new Map<string, () => void>()
  const freed: string[] = []
  for (const step of steps) {
    if (step === 'move') busy.moved()
    else if (step.startsWith('ask')) void busy.free().then(() => freed.push(step))
    else if (step.startsWith('end')) ends.get(step.slice(4))?.()
    else ends.set(step, busy.begin(step))
    await Promise.resolve()
  }
  await Promise.resolve()
  return { freed, names: busy.names() }
}

describe('a release may be shown', () => {
  const rows: [string, Step[], string[], string[]][] = [
    ['at once when nobody is busy', ['ask'], ['ask'], []],
    ['not while a form is open', ['form', 'ask'], [], ['form']],
    ['not when the form ends and the page stays', ['form', 'ask', 'end form'], [], []],
    ['at the next page', ['form', 'ask', 'end form', 'move'], ['ask'], []],
    ['when the form of the page that was left lets go after the move', ['form', 'ask', 'move', 'end form'], ['ask'], []],
    ['not while another is still open', ['form', 'prompt', 'ask', 'move', 'end form'], [], ['prompt']],
    ['when the last lets go after a move', ['form', 'prompt', 'ask', 'move', 'end form', 'end prompt'], ['ask'], []],
    ['not because of a move from before it was asked', ['move', 'form', 'ask', 'end form'], [], []],
    ['to everybody who waits', ['form', 'ask', 'ask again', 'end form', 'move'], ['ask', 'ask again'], []],
    ['at once again afterwards', ['form', 'ask', 'end form', 'move', 'ask again'], ['ask', 'ask again'], []],
    ['letting go twice is letting go once', ['form', 'prompt', 'ask', 'end form', 'end form', 'move'], [], ['prompt']],
  ]
  test.for(rows)('%s', async ([, steps, freed, names]) => {
    expect(await run(steps)).toEqual({ freed, names })
  })
})
