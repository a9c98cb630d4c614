import { Languages, Plus } from 'lucide-react'
import { useState } from 'react'
import { ConditionInput } from '#console/editor/conditions/ConditionInput.tsx'
import { spoken } from '#console/editor/document/known.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { copiedText } from '#console/editor/document/words-edit.rules.ts'
import styles from '#console/editor/fields/Fields.module.css'
import { NewRule } from '#console/editor/fields/NewRule.tsx'
import { ownRule, validationIn } from '#console/editor/fields/own-rule.rules.ts'
import { type ShippedRule, useValidations } from '#console/editor/fields/useValidations.ts'
import { ProblemLines } from '#console/editor/problems/Problems.tsx'
import { EntryButtons } from '#console/editor/values/EntryButtons.tsx'
import { FieldSet } from '#console/editor/values/Fields.tsx'
import { fieldsOf } from '#console/editor/values/fields.rules.ts'
import { WordsControl } from '#console/editor/words/WordsControl.tsx'
import { languageShown, WordsLines, WordsRow } from '#console/editor/words/WordsLines.tsx'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Field, Select } from '#console/parts/Field.tsx'
import { isObject } from '#language/documents/json.ts'
import { below } from '#language/text/position.ts'

const rulesMax = 10

/** The rules of a field in their order, each with its message; rules are picked from the validations or written with conditions. */
export function RulesControl({ pointer, value }: { pointer: string; value: unknown }) {
  const say = useWords()
  const { editable, insert, problems, set } = useEditing()
  const [adding, setAdding] = useState(false)
  const validations = useValidations()
  const list = below(pointer, 'rules')
  const rules = Array.isArray(value) ? value : []
  const add = (rule: unknown) => {
    setAdding(false)
    insert({ list, index: rules.length }, rule, true)
  }
  return (
    <div className={styles.rules}>
      {rules.length === 0 && !adding && <p className="quiet">{say('fields.rules_none')}</p>}
      {rules.map((rule, i) => {
        const at = below(list, i)
        const id = validationIn(rule)
        const shipped = id === undefined ? undefined : validations.get(id)
        const title = say('fields.rule_number', { number: i + 1 })
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no names
          <section key={i} className={styles.rule} aria-label={title} data-pointer={at}>
            <div className={styles.ruleHead}>
              <h3>{id ?? say('fields.rule_own')}</h3>
              <EntryButtons
                pointer={at}
                isLast={i === rules.length - 1}
                label={say('editor.take_out', { name: title })}
                {...(rules.length === 1 && { onTakeOut: () => set(list, undefined) })}
              />
            </div>
            {id === undefined ? (
              <OwnRule pointer={at} rule={isObject(rule) ? rule : {}} />
            ) : (
              <PickedRule pointer={at} rule={rule} shipped={shipped} />
            )}
            <ProblemLines problems={problems.filter((one) => one.pointer === at || one.pointer === `${at}/use`)} />
          </section>
        )
      })}
      {adding ? (
        <NewRule field={pointer} validations={validations} done={add} cancel={() => setAdding(false)} />
      ) : (
        <div>
          <Button small icon={Plus} disabled={!editable || rules.length >= rulesMax} onClick={() => setAdding(true)}>
            {say('fields.rule_add')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** A validation of the draft: its parameters, and the message that all its fields share. */
function PickedRule({ pointer, rule, shipped }: { pointer: string; rule: unknown; shipped: ShippedRule | undefined }) {
  const say = useWords()
  const { known, editable, set } = useEditing()
  if (!shipped) return null
  const { id, doc } = shipped
  const params = fieldsOf(known.params[`validation/${id}`] ?? {})
  const given = isObject(rule) && isObject(rule.with) ? rule.with : {}
  const from = isObject(doc.message) && typeof doc.message.$t === 'string' ? doc.message.$t : undefined
  const own = from === undefined ? undefined : ownRule(rule, doc, { ...(doc.message as Record<string, unknown>), ...copiedText(from) })
  return (
    <>
      {params.length > 0 &&
        (isObject(rule) ? (
          <FieldSet fields={params} pointer={below(pointer, 'with')} value={given} />
        ) : (
          <div>
            <Button small tone="quiet" disabled={!editable} onClick={() => set(pointer, { use: id, with: {} })}>
              {say('fields.rule_params')}
            </Button>
          </div>
        ))}
      <SharedMessage message={doc.message} fields={shipped.fields} />
      {own && (
        <div>
          <Button small tone="quiet" disabled={!editable} onClick={() => set(pointer, own)}>
            {say('fields.message_own')}
          </Button>
        </div>
      )}
    </>
  )
}

/** The message of a validation in each language. A change applies to every field that uses it. */
function SharedMessage({ message, fields }: { message: unknown; fields: number }) {
  const say = useWords()
  const { known } = useEditing()
  const [all, setAll] = useState(false)
  const [editing, setEditing] = useState(fields <= 1)
  if (!isObject(message) || typeof message.$t !== 'string') return <p>{spoken(message, known.words)}</p>
  const main = known.languages.includes('en') ? 'en' : (known.languages[0] ?? 'en')
  return (
    <div className={styles.message}>
      <Field label={say('fields.message')}>
        {(control) => (
          <WordsLines control={control} value={message} fixed={!editing} language={all ? main : languageShown(known, message, main)} />
        )}
      </Field>
      {fields > 1 && (
        <p className="quiet">
          {say('fields.message_shared', { count: fields })}{' '}
          {!editing && (
            <button type="button" className="link" onClick={() => setEditing(true)}>
              {say('editor.words_everywhere')}
            </button>
          )}
        </p>
      )}
      {all &&
        known.languages.filter((lng) => lng !== main).map((lng) => <WordsRow key={lng} value={message} fixed={!editing} language={lng} />)}
      <div>
        <Button small tone="quiet" icon={Languages} aria-expanded={all} onClick={() => setAll(!all)}>
          {say('editor.words_all', { count: known.languages.length })}
        </Button>
      </div>
    </div>
  )
}

export const levels = ['error', 'warn', 'info'] as const

/** A rule with a condition and a message of its own. */
function OwnRule({ pointer, rule }: { pointer: string; rule: Record<string, unknown> }) {
  const say = useWords()
  const { editable, problems, set } = useEditing()
  const at = (name: string) => below(pointer, name)
  const inside = (name: string) => problems.filter((one) => one.pointer === at(name) || one.pointer.startsWith(`${at(name)}/`))
  return (
    <>
      <Field label={say('fields.rule_accepts')}>
        {(control) => (
          <ConditionInput
            control={control}
            pointer={at('test')}
            logic={rule.test}
            label={say('fields.rule_accepts')}
            onChange={(text) => set(at('test'), text, 'condition')}
          />
        )}
      </Field>
      <ProblemLines problems={inside('test')} />
      <Field label={say('fields.message')}>
        {(control) => (
          <WordsControl
            control={control}
            pointer={at('message')}
            value={isObject(rule.message) ? rule.message : {}}
            onChange={(next) => set(at('message'), next, 'words')}
          />
        )}
      </Field>
      <ProblemLines problems={inside('message')} />
      <Field label={say('fields.level')} inline>
        {(control) => (
          <Select
            {...control}
            value={(levels as readonly unknown[]).includes(rule.level) ? String(rule.level) : 'error'}
            disabled={!editable}
            choices={levels.map((value) => ({ value, label: say(`fields.level_${value}`) }))}
            onChoose={(level) => set(at('level'), level === 'error' ? undefined : level)}
          />
        )}
      </Field>
    </>
  )
}
