import type { PromptDoc, Value } from '#language/documents/documents.ts'
import { type Compiled, compile, type Scope } from '#language/expression/expression.ts'
import { compileNamed, type Definitions } from '#language/expression/named.ts'
import { type CompiledValue, compileValue } from '#language/expression/value.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import { loadAreas } from '#renderer/config/screens.ts'
import { isOpen, wholeValue } from '#renderer/core/plan.ts'
import type { Say } from '#renderer/core/resolve.ts'
import { overlay } from '#renderer/core/scope.ts'
import { loadOperators } from '#renderer/engine/operators.ts'
import type { Engine } from '#renderer/engine/types.ts'
import type { OpenPrompt } from '#renderer/engine/ui.ts'

/** Brings a prompt with its words. @throws when the release has no such prompt, or it cannot be had */
export async function loadPrompt(engine: Engine, id: string): Promise<PromptDoc> {
  const key: DocumentKey = `prompt/${id}`
  const [doc] = await Promise.all([
    engine.config.fetchDocument(key),
    loadAreas(engine, engine.config.current()?.documents[key]?.areas ?? []),
  ])
  await loadOperators([doc], engine.functions)
  return doc as PromptDoc
}

interface CompiledPrompt {
  doc: PromptDoc
  title: CompiledValue
  text: CompiledValue | undefined
  rows: readonly { each: CompiledValue | undefined; label: CompiledValue; value: CompiledValue; show: Compiled | undefined }[]
  ok: CompiledValue | undefined
  cancel: CompiledValue | undefined
  staleWhen: Compiled | undefined
  values: Definitions
}

export function compilePrompt(doc: PromptDoc): CompiledPrompt {
  const optional = (value: Value | undefined) => (value === undefined ? undefined : compileValue(value))
  return {
    doc,
    title: compileValue(doc.title),
    text: optional(doc.text),
    rows: (doc.rows ?? []).map(({ each, label, value, show }) => ({
      each: each === undefined ? undefined : compileValue({ $: each }),
      label: compileValue(label),
      value: compileValue(value),
      show: show === undefined ? undefined : compile(show),
    })),
    ok: optional(doc.ok),
    cancel: optional(doc.cancel),
    values: compileNamed(doc.values),
    staleWhen: doc.stale_when === undefined ? undefined : compile(doc.stale_when),
  }
}

/**
 * Whether what an open prompt shows no longer applies.
 * @param latest the parameters as they are now; undefined while one of them is loading, which decides nothing
 */
export function isStale({ staleWhen }: CompiledPrompt, shown: Scope, latest: Record<string, unknown> | undefined): boolean {
  return staleWhen !== undefined && latest !== undefined && isOpen(staleWhen, overlay(shown, { latest }))
}

/**
 * A prompt document with its texts read; rows whose guard is closed are left out.
 * @throws TooMuchData when a limit ends the evaluation of one of them: nobody agrees to half a prompt
 */
export function promptTexts(
  prompt: CompiledPrompt,
  scope: Scope,
  say: Say,
  words: { ok: string; cancel: string },
): Omit<OpenPrompt, 'id' | 'settle'> {
  const read = (value: CompiledValue | undefined, around = scope) => {
    const seen = value && wholeValue(value, around, say)
    return seen === undefined || seen === null ? '' : String(seen)
  }
  /** Scopes of a row: one for each element of its list. */
  function scopesOf(each: CompiledValue | undefined): readonly Scope[] {
    if (!each) return [scope]
    const list = wholeValue(each, scope, say)
    return Array.isArray(list) ? list.map((item) => overlay(scope, { item })) : []
  }
  return {
    title: read(prompt.title),
    text: read(prompt.text),
    rows: prompt.rows.flatMap(({ each, label, value, show }) =>
      scopesOf(each).flatMap((around) =>
        show === undefined || isOpen(show, around) ? [{ label: read(label, around), value: read(value, around) }] : [],
      ),
    ),
    danger: prompt.doc.danger ?? false,
    ok: read(prompt.ok) || words.ok,
    cancel: read(prompt.cancel) || words.cancel,
  }
}
