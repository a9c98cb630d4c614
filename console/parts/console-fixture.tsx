import { act, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { type Console, ConsoleContext } from '#console/io/console.ts'
import { type ConsoleLanguage, createWords, WordsContext } from '#console/io/words.ts'

/** A part of the console as a test draws it. */
export interface ConsoleStage {
  box: HTMLElement
  /** Changes the text of a control by one input event. */
  type(control: HTMLInputElement | HTMLTextAreaElement, text: string): Promise<void>
  end(): Promise<void>
}

/**
 * Draws a part of the console in the page of a test.
 * @param given what the part uses of the console: its client, who is logged in
 */
export async function consoleStage(part: ReactNode, given: object, language: ConsoleLanguage = 'en'): Promise<ConsoleStage> {
  const words = await createWords(language)
  const context = { words, ...given } as unknown as Console
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  const root = createRoot(box)
  await act(async () =>
    root.render(
      <WordsContext value={words}>
        <ConsoleContext value={context}>{part}</ConsoleContext>
      </WordsContext>,
    ),
  )
  return {
    box,
    async type(control, text) {
      const kind = control instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
      await act(async () => {
        Object.getOwnPropertyDescriptor(kind.prototype, 'value')!.set!.call(control, text)
        control.dispatchEvent(new Event('input', { bubbles: true }))
      })
    },
    /** Leaves the part; a second time does nothing. */
    end: () => act(async () => root.unmount()),
  }
}
