import { useState } from 'react'
import { spoken } from '#console/editor/document/known.ts'
import { nameIn } from '#console/editor/document/pointer.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import styles from '#console/editor/fields/Fields.module.css'
import { type Trial, trialOf } from '#console/editor/fields/trial.rules.ts'
import { messageInWords } from '#console/editor/problems/problem-words.rules.ts'
import { useWords } from '#console/io/words.ts'
import { Check, Field, TextInput } from '#console/parts/Field.tsx'
import type { FormDoc, ValidationDoc } from '#language/documents/documents.ts'

const given0: Readonly<Record<string, string>> = {}

/** Type an answer and see the verdict of the field: its type, its limits and its rules, with the message that customers read. */
export function TryField({ pointer, name }: { pointer: string; name: string }) {
  const say = useWords()
  const { known, path, workspace } = useEditing()
  const [typed, setTyped] = useState<string | boolean>('')
  const [given, setGiven] = useState(given0)
  const form = workspace.sources?.find(({ file }) => file === path)?.doc as FormDoc | undefined
  const field = form?.fields?.find((one) => one.name === name) ?? form?.fields?.[Number(nameIn(pointer))]
  const find = (id: string) =>
    workspace.sources?.find(({ doc }) => doc.kind === 'validation' && doc.id === id)?.doc as ValidationDoc | undefined
  if (!field) return <p className="quiet">{say('fields.try_later')}</p>
  const isSwitch = field.type === 'boolean'
  const raw = isSwitch
    ? typed === true
    : field.type === 'list'
      ? String(typed)
          .split(',')
          .map((one) => one.trim())
          .filter(Boolean)
      : String(typed)
  const trial = trialOf(field, raw, given, find)
  const asked = [...new Set([...Object.keys(given), ...(trial.kind === 'unsure' ? trial.missing : [])])]
  return (
    <div className={styles.try}>
      {isSwitch ? (
        <Check label={say('fields.try_value')} checked={typed === true} onChange={setTyped} />
      ) : (
        <Field label={say('fields.try_value')} help={field.type === 'list' ? say('conditions.values_list') : undefined}>
          {(control) => (
            <TextInput
              {...control}
              type={field.type === 'date' ? 'date' : 'text'}
              value={String(typed === false ? '' : typed)}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
      )}
      {asked.map((one) => (
        <Field key={one} label={say('fields.try_given', { name: one })} inline>
          {(control) => (
            <TextInput {...control} value={given[one] ?? ''} onChange={(event) => setGiven(withGiven(given, one, event.target.value))} />
          )}
        </Field>
      ))}
      <p className={styles.verdict} data-verdict={verdictOf(trial)} role="status">
        {sentenceOf(trial, say, known.words)}
      </p>
      {workspace.unread.includes(path) && <p className="quiet">{say('fields.try_stale')}</p>}
    </div>
  )
}

function withGiven(given: Readonly<Record<string, string>>, name: string, text: string): Readonly<Record<string, string>> {
  const { [name]: _, ...rest } = given
  return text === '' ? rest : { ...rest, [name]: text }
}

const verdictOf = (trial: Trial): string =>
  trial.kind === 'right' || trial.kind === 'empty'
    ? 'right'
    : trial.kind === 'type'
      ? 'wrong'
      : trial.kind === 'rule'
        ? trial.level
        : trial.kind

function sentenceOf(trial: Trial, say: ReturnType<typeof useWords>, words: Readonly<Record<string, string>>): string {
  switch (trial.kind) {
    case 'right':
      return say('fields.verdict_right')
    case 'empty':
      return say('fields.verdict_empty')
    case 'type':
      return say('fields.verdict_wrong', { message: filled({ $t: trial.key, ...trial.args }, {}, words) })
    case 'rule':
      return say(`fields.verdict_${trial.level === 'error' ? 'wrong' : trial.level}`, {
        message: filled(trial.message, trial.params, words),
      })
    case 'unsure':
      return say('fields.verdict_unsure', { names: trial.missing.join(', ') })
    case 'broken':
      return say('editor.verdict_broken', { message: messageInWords(trial.message, undefined, say, words) })
  }
}

/** A message with its arguments: literals, and parameters of the validation. */
function filled(message: unknown, params: Readonly<Record<string, unknown>>, words: Readonly<Record<string, string>>): string {
  if (typeof message !== 'object' || message === null) return spoken(message, words)
  const args = Object.entries(message).map(([name, value]) => {
    const path = typeof value === 'object' && value !== null && '$' in value ? readPath(value.$) : undefined
    return [name, path?.startsWith('params.') ? (params[path.slice('params.'.length)] ?? '') : value]
  })
  return spoken(Object.fromEntries(args), words)
}

function readPath(logic: unknown): string | undefined {
  if (typeof logic === 'string') return logic
  const path = typeof logic === 'object' && logic !== null && 'var' in logic ? logic.var : undefined
  return typeof path === 'string' ? path : undefined
}
