import { Plus, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import styles from '#console/editor/conditions/Conditions.module.css'
import { isComplete, type Row, type RowOperator, type Rows, rowsOf, takesValue, textOf } from '#console/editor/conditions/rows.rules.ts'
import { SubjectPicker } from '#console/editor/conditions/SubjectPicker.tsx'
import { literalOf, operatorsFor, type Subject } from '#console/editor/conditions/subjects.rules.ts'
import { useSubjects } from '#console/editor/conditions/useSubjects.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { LogicInput } from '#console/editor/values/LogicInput.tsx'
import { useWords } from '#console/io/words.ts'
import { Button, IconButton } from '#console/parts/Button.tsx'
import { type ControlProps, Select, TextInput } from '#console/parts/Field.tsx'
import { toText } from '#language/text/infix.ts'

interface ConditionInputProps {
  control: ControlProps
  pointer: string
  /** Expression text or tree; undefined or empty while there is none. */
  logic: unknown
  onChange(text: string): void
  /** Name of the group of rows for screen readers. */
  label: string
}

const blank: Row = { subject: '', operator: 'yes' }

/**
 * A condition as rows of subject, operator and value. Only complete rows reach the document: while a row is incomplete, the document keeps its
 * last condition. A condition that rows cannot show is edited as a formula.
 */
export function ConditionInput({ control, pointer, logic, onChange, label }: ConditionInputProps) {
  const say = useWords()
  const { editable } = useEditing()
  const written = typeof logic === 'string' ? logic : logic === undefined ? '' : toText(logic)
  const inRows = useMemo(() => rowsOf(written), [written])
  const [asFormula, setAsFormula] = useState(false)
  /** Rows as they are edited, which may be incomplete, and the text of the document for which they hold. */
  const [draft, setDraft] = useState<{ rows: Rows; written: string } | null>(null)
  const subjects = useSubjects(pointer)
  const formula = asFormula || inRows === null
  if (formula)
    return (
      <div className={styles.condition}>
        <LogicInput control={control} pointer={pointer} logic={logic} onChange={onChange} />
        <div className={styles.foot}>
          {inRows === null && written.trim() !== '' ? (
            <p className="quiet">{say('conditions.only_formula')}</p>
          ) : (
            <Button small tone="quiet" onClick={() => setAsFormula(false)}>
              {say('conditions.as_rows')}
            </Button>
          )}
        </div>
      </div>
    )
  const kept = draft?.written === written ? draft.rows : inRows
  const shown: Rows = kept.rows.length === 0 ? { ...kept, rows: [blank] } : kept
  const put = (next: Rows) => {
    const text = textOf(next)
    setDraft({ rows: next, written: text ?? written })
    if (text !== undefined && text !== written) onChange(text)
  }
  const putRow = (i: number, row: Row) => put({ ...shown, rows: shown.rows.map((one, k) => (k === i ? row : one)) })
  const unfinished = shown.rows.some((row) => !isComplete(row))
  return (
    <fieldset className={styles.condition} aria-label={label}>
      {shown.rows.length > 1 && (
        <Select
          className={styles.join ?? ''}
          aria-label={say('conditions.join')}
          value={shown.join}
          disabled={!editable}
          choices={(['all', 'any'] as const).map((value) => ({ value, label: say(`conditions.join_${value}`) }))}
          onChoose={(join) => put({ ...shown, join })}
        />
      )}
      <ul className={styles.rows}>
        {shown.rows.map((row, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names
          <li key={i} className={styles.row} data-unfinished={!isComplete(row) || undefined}>
            <RowFields
              row={row}
              id={i === 0 ? control.id : undefined}
              subjects={subjects}
              number={i + 1}
              onChange={(next) => putRow(i, next)}
            />
            {shown.rows.length > 1 && (
              <IconButton
                small
                label={say('conditions.row_remove', { number: i + 1 })}
                icon={X}
                disabled={!editable}
                onClick={() => put({ ...shown, rows: shown.rows.filter((_, k) => k !== i) })}
              />
            )}
          </li>
        ))}
      </ul>
      {unfinished && (
        <p className={styles.unfinished} role="status">
          {say('conditions.unfinished')}
        </p>
      )}
      <div className={styles.foot}>
        <Button small icon={Plus} disabled={!editable} onClick={() => put({ ...shown, rows: [...shown.rows, blank] })}>
          {say('conditions.row_add')}
        </Button>
        <Button small tone="quiet" onClick={() => setAsFormula(true)}>
          {say('conditions.as_formula')}
        </Button>
      </div>
    </fieldset>
  )
}

interface RowFieldsProps {
  row: Row
  id: string | undefined
  subjects: readonly Subject[]
  number: number
  onChange(row: Row): void
}

function RowFields({ row, id, subjects, number, onChange }: RowFieldsProps) {
  const say = useWords()
  const { editable } = useEditing()
  const subject = subjects.find(({ path }) => path === row.subject)
  const choose = (path: string) => {
    const next = subjects.find((one) => one.path === path)
    const operator = operatorsFor(next, 'yes')[0] as RowOperator
    const first = next?.options[0]
    const value = takesValue(operator) && next?.kind === 'level' ? { kind: 'literal' as const, value: 1 } : undefined
    const chosen = value ?? (takesValue(operator) && first ? { kind: 'literal' as const, value: first.value } : undefined)
    onChange({ subject: path, operator, value: chosen })
  }
  const operate = (operator: RowOperator) => {
    const fits = takesValue(operator) && (operator === 'one_of') === (row.value?.kind === 'list')
    onChange({ subject: row.subject, operator, value: fits ? row.value : undefined })
  }
  return (
    <>
      <div id={id} className={styles.picks}>
        <SubjectPicker
          label={say('conditions.subject_of', { number })}
          subjects={subjects}
          path={row.subject}
          disabled={!editable}
          onChoose={choose}
        />
      </div>
      {row.subject !== '' && (
        <Select
          aria-label={say('conditions.operator_of', { number })}
          value={row.operator}
          disabled={!editable}
          choices={operatorsFor(subject, row.operator).map((value) => ({ value, label: say(`conditions.op_${value}`) }))}
          onChoose={operate}
        />
      )}
      {row.subject !== '' && takesValue(row.operator) && (
        <ValueFields row={row} subject={subject} subjects={subjects} number={number} onChange={(value) => onChange({ ...row, value })} />
      )}
    </>
  )
}

interface ValueFieldsProps extends Omit<RowFieldsProps, 'id' | 'onChange'> {
  subject: Subject | undefined
  onChange(value: Row['value']): void
}

/** The other side of a row: a choice, a typed literal, or another path. */
function ValueFields({ row, subject, subjects, number, onChange }: ValueFieldsProps) {
  const say = useWords()
  const { editable } = useEditing()
  const [typed, setTyped] = useState<string | null>(null)
  const label = say('conditions.value_of', { number })
  const kind = subject?.kind ?? 'any'
  const days = row.operator === 'within' || row.operator === 'before'
  if (row.operator === 'one_of') {
    const values = row.value?.kind === 'list' ? row.value.values : []
    if (subject && subject.options.length > 0)
      return (
        <fieldset className={styles.choices} aria-label={label}>
          {subject.options.map((option) => (
            <label key={option.value} className={styles.choice}>
              <input
                type="checkbox"
                checked={values.includes(option.value)}
                disabled={!editable}
                onChange={(event) =>
                  onChange({
                    kind: 'list',
                    values: event.target.checked ? [...values, option.value] : values.filter((one) => one !== option.value),
                  })
                }
              />
              {option.label}
            </label>
          ))}
        </fieldset>
      )
    return (
      <TextInput
        aria-label={label}
        placeholder={say('conditions.values_list')}
        disabled={!editable}
        value={typed ?? values.join(', ')}
        onChange={(event) => {
          setTyped(event.target.value)
          const parts = event.target.value.split(',').map((one) => one.trim())
          onChange({ kind: 'list', values: parts.filter(Boolean).map((one) => literalOf(one, kind)) })
        }}
        onBlur={() => setTyped(null)}
      />
    )
  }
  const isPath = row.value?.kind === 'path'
  const options = subject?.options ?? []
  return (
    <>
      {isPath ? (
        <SubjectPicker
          label={label}
          subjects={subjects}
          path={row.value?.kind === 'path' ? row.value.path : ''}
          disabled={!editable}
          onChoose={(path) => onChange({ kind: 'path', path })}
        />
      ) : options.length > 0 ? (
        <Select
          aria-label={label}
          value={row.value?.kind === 'literal' ? String(row.value.value) : ''}
          disabled={!editable}
          choices={[
            ...(row.value?.kind === 'literal' && options.some(({ value }) => value === literalValue(row))
              ? []
              : [{ value: '', label: '–' }]),
            ...options.map((option) => ({ value: String(option.value), label: option.label })),
          ]}
          onChoose={(next) => {
            const option = options.find(({ value }) => String(value) === next)
            onChange(option && { kind: 'literal', value: option.value })
          }}
        />
      ) : (
        <TextInput
          aria-label={label}
          inputMode={kind === 'number' || days ? 'decimal' : undefined}
          placeholder={say(days ? 'conditions.value_days' : 'conditions.value')}
          disabled={!editable}
          value={typed ?? (row.value?.kind === 'literal' ? String(row.value.value) : '')}
          onChange={(event) => {
            const text = event.target.value
            setTyped(text)
            const wrong = days && !/^\d{1,5}$/.test(text.trim())
            onChange(
              text.trim() === '' || wrong
                ? undefined
                : { kind: 'literal', value: days ? Number(text.trim()) : literalOf(text.trim(), kind) },
            )
          }}
          onBlur={() => setTyped(null)}
        />
      )}
      {!days && kind !== 'level' && (
        <Button small tone="quiet" disabled={!editable} onClick={() => onChange(isPath ? undefined : { kind: 'path', path: '' })}>
          {say(isPath ? 'conditions.with_value' : 'conditions.with_data')}
        </Button>
      )}
    </>
  )
}

const literalValue = ({ value }: Row) => (value?.kind === 'literal' ? value.value : undefined)
