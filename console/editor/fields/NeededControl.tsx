import { useState } from 'react'
import { ConditionInput } from '#console/editor/conditions/ConditionInput.tsx'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import styles from '#console/editor/fields/Fields.module.css'
import { ProblemLines } from '#console/editor/problems/Problems.tsx'
import { useWords } from '#console/io/words.ts'
import { Check } from '#console/parts/Field.tsx'
import { below } from '#language/text/position.ts'

/** Whether a field must be answered: always, or only under a condition. The document keeps its last state until the condition is complete. */
export function NeededControl({ pointer, value, isSwitch }: { pointer: string; value: unknown; isSwitch: boolean }) {
  const say = useWords()
  const { set, editable, problems } = useEditing()
  const at = below(pointer, 'required')
  const conditional = value !== undefined && typeof value !== 'boolean'
  const [opened, setOpened] = useState(false)
  const only = conditional || opened
  const needed = value !== undefined && value !== false
  const own = problems.filter((problem) => problem.pointer === at || problem.pointer.startsWith(`${at}/`))
  return (
    <div className={styles.stack} data-pointer={at}>
      <Check
        label={say(isSwitch ? 'fields.needed_switch' : 'fields.needed')}
        checked={needed}
        disabled={!editable}
        onChange={(on) => {
          setOpened(false)
          set(at, on ? true : undefined)
        }}
      />
      {needed && (
        <Check
          label={say('fields.needed_when')}
          checked={only}
          disabled={!editable}
          onChange={(on) => {
            setOpened(on)
            if (!on && conditional) set(at, true)
          }}
        />
      )}
      {needed && only && (
        <ConditionInput
          control={{ id: `needed${pointer.replaceAll(/[^\w-]/g, '_')}` }}
          pointer={at}
          logic={conditional ? value : undefined}
          label={say('fields.needed_when')}
          onChange={(text) => set(at, text, 'condition')}
        />
      )}
      <ProblemLines problems={own} />
    </div>
  )
}
