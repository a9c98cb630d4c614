import { type ComponentType, type ReactNode, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { CompiledPage } from '#renderer/core/forms/form.ts'
import type { FormField } from '#renderer/forms/form-field.ts'
import type { FormPages } from '#renderer/forms/form-pages.ts'
import type { LiveForm } from '#renderer/forms/forms.ts'
import { useEngine } from '#renderer/react/context.ts'
import { useTopics } from '#renderer/react/forms/useTopics.ts'
import { useEngineText } from '#renderer/react/hooks/useText.ts'
import type { View } from '#renderer/react/view.ts'

/** The entries of a page, as words: secrets are not among them. */
export interface PageSummary {
  id: string
  title: string
  rows: readonly { id: string; label: string; text: string }[]
  /** Label of the button that leads back to the page. */
  change: string
  onChange: () => void
}

/** The looks of a form in pages. */
export interface PagesLook {
  /** `step` says where the page stands; the title gets the focus when one turns to it. */
  Head: ComponentType<{ n: number; count: number; step: string; title: string; text: string; focus: (element: HTMLElement | null) => void }>
  Summary: ComponentType<{ pages: readonly PageSummary[] }>
  /** `children` is the button that goes on or sends. */
  Foot: ComponentType<{ back: string | undefined; onBack: () => void; children: ReactNode }>
}

interface Props {
  live: LiveForm<View>
  pages: FormPages
  look: PagesLook
  draw: (fields: readonly FormField<View>[]) => ReactNode
  /** Stands below the fields of each page. */
  foot: ReactNode
  /** Problems that a press has found. */
  notes: ReactNode
  /** The button that goes on; with a label it does not send yet. */
  button: (label?: string) => ReactNode
}

/**
 * One page of a form: its place, its fields, and the way on and back. Each page after the first is a layer, so that the browser's back leads to
 * the page before.
 */
export function Pages({ live, pages, look: { Head, Summary, Foot }, draw, foot, notes, button }: Props) {
  const { ui } = useEngine()
  const { page, n, count } = useSyncExternalStore(pages.subscribe, pages.getSnapshot)
  const heading = useRef<HTMLElement>(null)
  const drawn = useRef(page.id)
  useLayoutEffect(() => {
    const offs = Array.from({ length: n }, () => ui.cover(() => pages.back()))
    return () => {
      for (const off of offs) off()
    }
  }, [ui, pages, n])
  useLayoutEffect(() => {
    if (drawn.current === page.id) return
    drawn.current = page.id
    if (!pages.toField) heading.current?.focus()
    pages.toField = false
    live.keep()
  }, [page, pages, live])
  const say = useEngineText()
  const topics = useMemo(() => [...page.topics, 'session.language'], [page])
  const text = (value: CompiledPage['text']) => String(value?.evaluate(live, live.say).value ?? '')
  const title = useTopics(live, topics, () => text(page.title))
  const about = useTopics(live, topics, () => text(page.text))
  return (
    <>
      <Head
        key={page.id}
        n={n}
        count={count}
        step={say('form.step', { n: n + 1, count })}
        title={title}
        text={about}
        focus={(element) => {
          heading.current = element
        }}
      />
      {page.summary && <Summary pages={pages.before.map((one) => summaryOf(live, one, text(one.title)))} />}
      {draw(live.fields.filter(({ field }) => field.page === page))}
      {foot}
      {notes}
      <Foot back={n > 0 ? say('form.back') : undefined} onBack={() => pages.back()}>
        {button(pages.isLast ? undefined : say('form.next'))}
      </Foot>
    </>
  )
}

function summaryOf(live: LiveForm<View>, page: CompiledPage, title: string): PageSummary {
  const fields = live.fields.filter((one) => one.field.page === page && one.shown() && !isSecret(one))
  return {
    id: page.id,
    title,
    rows: fields.map((one) => ({ id: one.field.name, label: one.getSnapshot().label, text: wordsOf(live, one) || '–' })),
    change: live.say('form.change', { title }),
    onChange: () => live.pages?.show(page),
  }
}

const isSecret = ({ field: { type } }: FormField<View>) => type === 'password' || type === 'code'

/** An entry as the customer reads it: labels of choices, numbers with their unit, one line for each row. */
function wordsOf(live: LiveForm<View>, one: FormField<View>): string {
  const { type } = one.field
  const value = one.value()
  if ('rows' in one) {
    const { rows } = one as unknown as { rows: readonly { cells: readonly FormField<View>[] }[] }
    return rows
      .map(({ cells }) =>
        cells
          .filter((cell) => cell.shown())
          .map((cell) => wordsOf(live, cell))
          .join(' · '),
      )
      .join('\n')
  }
  if (value === null || value === undefined) return ''
  if (type === 'boolean') return live.say(value === true ? 'form.yes' : 'form.no')
  if (type === 'file') return live.say('form.attached')
  const { options, unit } = one.getSnapshot().props as { options?: unknown; unit?: unknown }
  if (type === 'list') return (value as readonly unknown[]).map((id) => labelOf(options, id)).join(', ')
  if (type === 'enum') return labelOf(options, value)
  const number = type === 'decimal' || type === 'integer'
  return number
    ? [live.judging.amount(String(value)), unit].filter((part) => typeof part === 'string' && part !== '').join(' ')
    : String(value)
}

function labelOf(options: unknown, id: unknown): string {
  const found: unknown = Array.isArray(options) ? options.find((one: { id?: unknown } | null) => String(one?.id) === String(id)) : undefined
  return String((found as { label?: unknown } | undefined)?.label ?? id)
}
