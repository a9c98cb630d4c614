import { useState } from 'react'
import { ConditionInput } from '#console/editor/conditions/ConditionInput.tsx'
import { spoken } from '#console/editor/document/known.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { newText } from '#console/editor/document/words-edit.rules.ts'
import styles from '#console/editor/fields/Fields.module.css'
import { ruleFor } from '#console/editor/fields/own-rule.rules.ts'
import type { ShippedRule } from '#console/editor/fields/useValidations.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Field, TextInput } from '#console/parts/Field.tsx'
import { SearchList } from '#console/parts/SearchList.tsx'
import { searchForm } from '#contract/text.ts'
import { below } from '#language/text/position.ts'

interface NewRuleProps {
  /** Pointer of the field. */
  field: string
  validations: ReadonlyMap<string, ShippedRule>
  done(rule: unknown): void
  cancel(): void
}

/** Words to search by, without signs: "e-mail" finds "email". */
const plain = (text: string): string => searchForm(text).replaceAll(/[^\p{L}\p{M}\p{N}\s]+/gu, '')

/** Picks a validation by its message or its name, or writes a rule. Nothing reaches the document before it is complete. */
export function NewRule({ field, validations, done, cancel }: NewRuleProps) {
  const say = useWords()
  const { known } = useEditing()
  const [wanted, setWanted] = useState('')
  const [own, setOwn] = useState(false)
  const [test, setTest] = useState('')
  const [message, setMessage] = useState('')
  if (own)
    return (
      <section className={styles.rule} aria-label={say('fields.rule_own')}>
        <Field label={say('fields.rule_accepts')} help={say('fields.rule_accepts_help')}>
          {(control) => (
            <ConditionInput
              control={control}
              pointer={`${below(field, 'rules')}/0/test`}
              logic={test}
              label={say('fields.rule_accepts')}
              onChange={setTest}
            />
          )}
        </Field>
        <Field label={say('fields.message')} help={say('fields.message_help')}>
          {(control) => <TextInput {...control} spellCheck value={message} onChange={(event) => setMessage(event.target.value)} />}
        </Field>
        <div className={styles.line}>
          <Button
            small
            tone="primary"
            disabled={test.trim() === '' || message.trim() === ''}
            onClick={() => done({ test, message: newText(message.trim()) })}
          >
            {say('fields.rule_add')}
          </Button>
          <Button small tone="quiet" onClick={cancel}>
            {say('editor.cancel')}
          </Button>
        </div>
      </section>
    )
  const words = plain(wanted).split(/\s+/).filter(Boolean)
  const rows = [...validations.values()]
    .map((one) => ({ ...one, message: spoken(one.doc.message, known.words) }))
    .filter(({ id, message: text }) => words.every((word) => plain(`${id} ${text}`).includes(word)))
    .sort((a, b) => b.fields - a.fields)
  return (
    <section className={styles.rule} aria-label={say('fields.rule_add')}>
      <SearchList
        label={say('fields.rule_search')}
        wanted={wanted}
        onWanted={setWanted}
        nothing={say('fields.rule_nothing')}
        rows={rows.map(({ id, doc, message: text }) => ({
          key: id,
          title: text,
          about: id,
          choose: () => done(ruleFor(id, doc.params)),
        }))}
      />
      <div className={styles.line}>
        <Button small onClick={() => setOwn(true)}>
          {say('fields.rule_write')}
        </Button>
        <Button small tone="quiet" onClick={cancel}>
          {say('editor.cancel')}
        </Button>
      </div>
    </section>
  )
}
