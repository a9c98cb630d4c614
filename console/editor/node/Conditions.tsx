import { HelpCircle, Plus, X } from 'lucide-react'
import { createContext, useContext, useState } from 'react'
import { ConditionInput } from '#console/editor/conditions/ConditionInput.tsx'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import styles from '#console/editor/node/Node.module.css'
import { Section } from '#console/editor/node/Section.tsx'
import { ProblemLines } from '#console/editor/problems/Problems.tsx'
import { useWords } from '#console/io/words.ts'
import { Button, IconButton } from '#console/parts/Button.tsx'
import { Field } from '#console/parts/Field.tsx'
import type { HiddenNode } from '#console/preview/protocol.ts'
import { Clauses } from '#renderer/inspector/Clauses.tsx'

/** Asks the preview why a node of the open document looks as it does there now. Null while there is no preview. */
export type Why = (node: string) => Promise<HiddenNode | null>
export const WhyContext = createContext<Why | null>(null)
const useWhy = (): Why | null => useContext(WhyContext)

/** The conditions `show` and `enable`. The `why` button asks the preview for their current result. */
export function Conditions({ pointer, value }: { pointer: string; value: Record<string, unknown> }) {
  const say = useWords()
  const { set, editable, problems } = useEditing()
  const why = useWhy()
  const [answer, setAnswer] = useState<HiddenNode | null | undefined>(undefined)
  /** Conditions that are begun here and stand in the document once they are complete. */
  const [begun, setBegun] = useState<readonly string[]>([])
  const roles = ['show', 'enable'] as const
  const given = roles.filter((role) => value[role] !== undefined || begun.includes(role))
  const free = roles.filter((role) => !given.includes(role))
  const name = String(value.id ?? value.name ?? '')
  return (
    <Section title={say('editor.conditions')}>
      {given.map((role) => (
        <div key={role} className={styles.condition}>
          <Field label={say(`editor.${role}`)}>
            {(control) => (
              <ConditionInput
                control={control}
                pointer={`${pointer}/${role}`}
                logic={value[role]}
                label={say(`editor.${role}`)}
                onChange={(next) => set(`${pointer}/${role}`, next, 'condition')}
              />
            )}
          </Field>
          <IconButton
            small
            label={say('editor.take_out', { name: say(`editor.${role}`) })}
            icon={X}
            disabled={!editable}
            onClick={() => {
              setBegun(begun.filter((one) => one !== role))
              set(`${pointer}/${role}`, undefined)
            }}
          />
          <ProblemLines
            problems={problems.filter(
              (problem) => problem.pointer === `${pointer}/${role}` || problem.pointer.startsWith(`${pointer}/${role}/`),
            )}
          />
        </div>
      ))}
      <div className={styles.line}>
        {free.map((role) => (
          <Button key={role} small icon={Plus} disabled={!editable} onClick={() => setBegun([...begun, role])}>
            {say(`editor.add_${role}`)}
          </Button>
        ))}
        {why && name && given.length > 0 && (
          <Button small tone="quiet" icon={HelpCircle} onClick={() => void why(name).then(setAnswer)}>
            {say('editor.why')}
          </Button>
        )}
      </div>
      {answer !== undefined && (
        <div className={styles.why} role="status">
          {answer === null ? (
            <p className="quiet">{say('editor.why_nowhere')}</p>
          ) : (
            <>
              <p>
                {say(answer.shown ? 'editor.why_shown' : 'editor.why_hidden')}{' '}
                {say(answer.enabled ? 'editor.why_enabled' : 'editor.why_disabled')}
                {answer.within !== undefined && ` ${say('editor.why_within', { name: answer.within })}`}
              </p>
              {answer.show && <Clauses tree={answer.show} />}
              {answer.enable && <Clauses tree={answer.enable} />}
            </>
          )}
        </div>
      )}
    </Section>
  )
}
