import { useEngineText } from '#renderer/widget-api.ts'

const dots = '••••••'

/** An amount that can be hidden: dots for the eye, one word for screen readers. */
export function Hideable({ text, hidden }: { text: string; hidden: boolean }) {
  const say = useEngineText()
  if (!hidden) return text
  return (
    <>
      <span aria-hidden="true">{dots}</span>
      <span className="visually-hidden">{say('widget.amount_hidden')}</span>
    </>
  )
}
