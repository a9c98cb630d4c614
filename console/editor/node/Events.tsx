import { Plus, X } from 'lucide-react'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import styles from '#console/editor/node/Node.module.css'
import { Section } from '#console/editor/node/Section.tsx'
import { ProblemLines } from '#console/editor/problems/Problems.tsx'
import { memberLabel } from '#console/editor/values/Fields.tsx'
import { StepsField } from '#console/editor/values/StepsField.tsx'
import { useWords } from '#console/io/words.ts'
import { Button, IconButton } from '#console/parts/Button.tsx'
import { Field, Select } from '#console/parts/Field.tsx'
import { isObject } from '#language/documents/json.ts'
import { below } from '#language/text/position.ts'

/** The actions of the widget's events: each a list of steps, or one of the screen's named actions. */
export function Events({ pointer, events, value }: { pointer: string; events: readonly string[]; value: unknown }) {
  const say = useWords()
  const { doc, set, editable, problems } = useEditing()
  const given = isObject(value) ? value : {}
  const actions = isObject(doc) && isObject(doc.actions) ? Object.keys(doc.actions) : []
  const names = [...events, ...Object.keys(given).filter((name) => !events.includes(name))]
  const free = names.filter((name) => given[name] === undefined)
  return (
    <Section title={say('editor.events')}>
      {names
        .filter((name) => given[name] !== undefined)
        .map((name) => {
          const at = below(pointer, name)
          const action = given[name]
          const label = say('editor.event_on', { name: memberLabel({ name, words: 'members' }, say) })
          return (
            <div key={name} className={styles.event}>
              <div className={styles.eventHead}>
                <h3>{label}</h3>
                <IconButton
                  small
                  label={say('editor.take_out', { name: label })}
                  icon={X}
                  disabled={!editable}
                  onClick={() => set(at, undefined)}
                />
              </div>
              {actions.length > 0 && (
                <Field label={say('editor.event_does')} inline>
                  {(control) => (
                    <Select
                      {...control}
                      value={typeof action === 'string' ? action : ''}
                      disabled={!editable}
                      choices={[{ value: '', label: say('editor.event_steps') }, ...actions.map((one) => ({ value: one, label: one }))]}
                      onChoose={(next) => set(at, next === '' ? [] : next)}
                    />
                  )}
                </Field>
              )}
              {typeof action !== 'string' && <StepsField pointer={at} steps={action} label={label} />}
              <ProblemLines problems={problems.filter((problem) => problem.pointer === at)} />
            </div>
          )
        })}
      <div className={styles.line}>
        {free.map((name) => (
          <Button key={name} small icon={Plus} disabled={!editable} onClick={() => set(below(pointer, name), [])}>
            {say('editor.event_on', { name: memberLabel({ name, words: 'members' }, say) })}
          </Button>
        ))}
      </div>
    </Section>
  )
}
