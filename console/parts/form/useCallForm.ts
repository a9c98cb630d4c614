import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type PathValue,
  type Resolver,
  type UseFormRegisterReturn,
  useForm,
} from 'react-hook-form'
import type * as z from 'zod'
import { useWords } from '#console/io/words.ts'
import { fieldOfProblem, type IssueWords, withNeeded, wordsOfIssue } from '#console/parts/form/issues.rules.ts'
import { problemText } from '#console/parts/Toast.tsx'

interface CallFormOptions<V extends FieldValues> {
  /** The input of the call, or the part of it that the form types. */
  schema: z.ZodType<unknown, V>
  /** In the order of the fields on the page. */
  defaults: V
  /** Fields that may not be empty. */
  needed: readonly Path<V>[]
  /** Fields of problems that name none, by their codes. Without one a problem stands at the last field that is needed, else at the last. */
  fields?: Readonly<Record<string, Path<V>>>
  /** Words of the form's own issues, by their messages: text keys. */
  words?: IssueWords
  /** Sends what was typed. @throws ConsoleError */
  send: (values: V) => Promise<unknown>
}
interface CallForm<V extends FieldValues> {
  /** Connects a control with its field. */
  field(name: Path<V>): UseFormRegisterReturn
  /** Sets a field whose control is no input of text: a choice, a tick, a range. */
  set<N extends Path<V>>(name: N, value: PathValue<V, N>): void
  /** The problem of a field in the operator's language; undefined without one. */
  error(name: Path<V>): string | undefined
  values: V
  busy: boolean
  submit: (event?: React.BaseSyntheticEvent) => void
}

/**
 * A form over the input of a call: the browser judges by the schema that the server reads with. The first wrong field gets the focus, a refusal
 * of the server stands at its field, and what was typed stays.
 */
export function useCallForm<V extends FieldValues>({
  schema,
  defaults,
  needed,
  fields = {},
  words = {},
  send,
}: CallFormOptions<V>): CallForm<V> {
  const say = useWords()
  const [busy, setBusy] = useState(false)
  const resolver = zodResolver(withNeeded(schema, needed) as never) as unknown as Resolver<V>
  const form = useForm<V>({ defaultValues: defaults as DefaultValues<V>, resolver, mode: 'onSubmit', reValidateMode: 'onChange' })
  const { errors } = form.formState
  // In the order of the page, whatever component draws a field first: the first wrong one gets the focus.
  for (const name of Object.keys(defaults)) form.register(name as Path<V>)
  const run = async (values: V) => {
    if (busy) return
    setBusy(true)
    try {
      await send(values)
    } catch (problem) {
      const name = (fieldOfProblem(problem, fields, Object.keys(defaults)) ?? needed.at(-1) ?? Object.keys(defaults).at(-1)) as Path<V>
      form.setError(name, { type: 'server', message: problemText(say, problem) }, { shouldFocus: true })
    } finally {
      setBusy(false)
    }
  }
  return {
    field: (name) => form.register(name),
    set: (name, value) => form.setValue(name, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted }),
    error(name) {
      const found = errors[name] as { type?: unknown; message?: unknown } | undefined
      if (!found) return undefined
      return found.type === 'server' ? String(found.message) : say(wordsOfIssue(found, words))
    },
    values: form.watch(),
    busy,
    submit: (event) => void form.handleSubmit(run)(event),
  }
}
