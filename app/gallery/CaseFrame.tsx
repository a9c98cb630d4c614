import { type CSSProperties, useEffect, useMemo } from 'react'
import { type Case, screenOf } from '#app/gallery/cases.ts'
import { findWidget } from '#app/gallery/examples.ts'
import { ageSource, eachModel, putForm } from '#app/gallery/stage.ts'
import { reworded, rewordedForm } from '#app/gallery/stress.ts'
import type { Switches } from '#app/gallery/switches.ts'
import type { NodeDoc } from '#language/documents/documents.ts'
import { type Mode, themeVariables } from '#renderer/core/theme.ts'
import { useEngine } from '#renderer/react/context.ts'
import { ScreenView } from '#renderer/react/ScreenView.tsx'

interface Props {
  one: Case
  mode: Mode
  switches: Pick<Switches, 'words' | 'width'>
}

/** A widget in one state, rendered by the engine as a screen. */
export function CaseFrame({ one, mode, switches: { words, width } }: Props) {
  const engine = useEngine()
  const doc = useMemo(() => {
    if (one.state === 'stale') ageSource(engine, one)
    if (one.form) putForm(one, rewordedForm(one.form, words))
    const node: NodeDoc = reworded(one.node, words, findWidget)
    return screenOf({ ...one, node })
  }, [engine, one, words])
  useEffect(() => {
    if (one.state !== 'busy') return
    const ofThis = doc.id
    return eachModel((model) => {
      const { screen } = model.host as unknown as { screen: { id: string } }
      if (screen.id === ofThis && model.node.id === one.node.id) model.setBusy(true)
    })
  }, [one, doc])
  const variables = useMemo(() => themeVariables(engine.theme(), mode, false), [engine, mode])
  return (
    <div className="frame" data-mode={mode} style={{ ...variables, '--frame': width === 0 ? '100%' : `${width}px` } as CSSProperties}>
      <ScreenView key={`${doc.id} ${words}`} doc={doc} params={{}} />
    </div>
  )
}
