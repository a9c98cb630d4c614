import { act } from 'react'
import { vi } from 'vitest'
import { type Stage, texts } from '#bench/documents/stage.tsx'
import { named, wordsOf } from '#flows/words.rules.ts'
import type { FlowDoc, FlowExpectation, FlowStep } from '#language/documents/documents.ts'

/** Runs the flows of the documents on the handwritten screens: the same steps must give the same calls, texts and screens. */

/** Longer than any debounce and than the inactive time of a prompt's buttons. */
const settleMs = 800
const stepMs = 100
/** Lets time pass. React renders pending updates at the end of each step. */
export async function settled(ms = settleMs): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) await act(() => vi.advanceTimersByTimeAsync(Math.min(left, stepMs)))
}

export const nodeOf = (name: string) => document.querySelector<HTMLElement>(`[data-node="${name}"]`)
function there(name: string): HTMLElement {
  const node = nodeOf(name)
  if (!node) throw new Error(`"${name}" is not shown in ${document.body.textContent}`)
  return node
}
const fits = (value: unknown, shown: string) => wordsOf(value, texts, 'en')?.test(shown) ?? false

function control(node: HTMLElement): HTMLButtonElement {
  if (node instanceof HTMLButtonElement) return node
  const button = node.querySelector<HTMLButtonElement>('button[type=submit]') ?? node.querySelector('button')
  if (!button) throw new Error(`nothing of ${node.outerHTML} can be pressed`)
  return button
}

export function fill(name: string, value: unknown): void {
  const box = there(name).querySelector<HTMLInputElement | HTMLSelectElement>('select, input')
  if (!box) throw new Error(`"${name}" takes no value`)
  const options = box instanceof HTMLSelectElement ? [...box.options] : []
  const option = options.find((one) => one.value === String(value) || fits(value, one.text))
  if (options.length > 0 && !option) throw new Error(`the options are ${options.map(({ text }) => text).join(', ')}`)
  act(() => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(box), 'value')?.set?.call(box, option?.value ?? String(value))
    box.dispatchEvent(new Event(option ? 'change' : 'input', { bubbles: true }))
  })
}

export const press = (name: string) => act(() => control(there(name)).click())
export const answer = (agreed: boolean) =>
  act(() => {
    const button = document.querySelector<HTMLButtonElement>(agreed ? '.prompt-ok' : '.prompt-cancel')
    if (!button) throw new Error('no prompt is open')
    button.click()
  })

export function choose(name: string, option: unknown): void {
  const radio = [...there(name).querySelectorAll('label')].find((label) => fits(option, label.textContent ?? ''))?.querySelector('input')
  if (!radio) throw new Error(`"${name}" has no such option`)
  act(() => radio.click())
}

/** Why an expectation is not met. */
function misfit({ made, toasts }: Stage, wanted: FlowExpectation): string | undefined {
  const { node, state = 'shown', text, noText, toast, prompt, called, args = {}, times, notCalled, value, screen } = wanted
  const say = (words: unknown) => named(words, texts, 'en')
  const shown = document.querySelector('[data-screen]')?.getAttribute('data-screen')
  if (screen !== undefined && shown !== screen) return `the screen is ${shown}`
  const element = node === undefined ? document.body : nodeOf(node)
  if (state === 'hidden') return element ? `${node} is shown` : undefined
  if (!element) return `${node} is not shown`
  if (state !== 'shown' && control(element).disabled !== (state === 'disabled')) return `${node} is not ${state}`
  if (text !== undefined && !fits(text, element.textContent ?? '')) return `${say(text)} does not stand in ${element.textContent}`
  if (noText !== undefined && fits(noText, document.body.textContent ?? '')) return `${say(noText)} stands there`
  const held = element.querySelector<HTMLInputElement>('select, input')?.value
  if (value !== undefined && held !== String(value)) return `${node} holds ${held}`
  if (toast !== undefined && !toasts.some((one) => toast === true || fits(toast, one))) return `the toasts are ${toasts.join(' · ')}`
  const open = document.querySelector('.prompt')
  if (prompt === false && open) return 'a prompt is open'
  if (prompt !== undefined && prompt !== false && !(open && (prompt === true || fits(prompt, open.textContent ?? ''))))
    return `the prompt is ${open?.textContent}`
  const forbidden = [notCalled ?? []].flat().find((name) => made.some((one) => one.name === name))
  if (forbidden !== undefined) return `${forbidden} was called`
  if (called === undefined) return undefined
  const calls = made.filter(({ name }) => name === called)
  const alike = calls.filter((call) =>
    Object.entries(args).every(([member, one]) => call.args[member] === (one === null ? undefined : String(one))),
  )
  const right = times === undefined ? alike.length > 0 : alike.length === times
  return right ? undefined : `${called} was called with ${JSON.stringify(calls.map((one) => one.args))}`
}

async function play(stage: Stage, step: FlowStep): Promise<string | undefined> {
  if ('expect' in step) return misfit(stage, step.expect)
  stage.toasts.length = 0
  if ('open' in step) stage.open(step.open, Object.fromEntries(Object.entries(step.params ?? {}).map(([k, v]) => [k, String(v)])))
  else if ('answer' in step) stage.given.set(step.answer, step.with)
  else if ('fill' in step) fill(step.fill, step.value)
  else if ('press' in step) press(step.press)
  else if ('choose' in step) choose(step.choose, step.option)
  else if ('prompt' in step) answer(step.prompt === 'ok')
  else if (!('wait' in step)) throw new Error(`a handwritten screen cannot ${JSON.stringify(step)}`)
  await settled('wait' in step ? step.wait : settleMs)
  return undefined
}

/** @returns the first step that failed, and why; undefined when the flow passes */
export async function playFlow(stage: Stage, flow: FlowDoc): Promise<string | undefined> {
  stage.as(flow.as)
  for (const [call, laid] of Object.entries(flow.answers ?? {})) stage.given.set(call, laid)
  for (const [i, step] of flow.steps.entries()) {
    const why = await play(stage, step)
    if (why !== undefined) return `${i + 1}. ${JSON.stringify(step)}: ${why}`
  }
  return undefined
}
