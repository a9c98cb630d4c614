import type { FormDoc, ValidationDoc } from '#language/documents.ts'
import { type CompiledForm, compileForm } from '#renderer/core/form.ts'
import { draftKey, draftsOf } from '#renderer/io/drafts.ts'
import type { Engine } from '#renderer/io/engine.ts'
import { LiveForm } from '#renderer/io/forms.ts'
import type { ScreenStore } from '#renderer/io/store.ts'
import type { LazyView } from '#renderer/react/lazyView.ts'
import type { View } from '#renderer/widget-api.ts'

const compiled = new WeakMap<FormDoc, { form: CompiledForm<View>; rules: readonly ValidationDoc[] }>()

/**
 * A form made ready, once for each revision of its document and of the validations that it uses.
 * @throws when the release has no such form, or it cannot be judged by this build
 */
export function compiledFormOf(engine: Engine<View>, id: string): CompiledForm<View> {
  const doc = engine.config.document(`form/${id}`) as FormDoc | undefined
  if (!doc) throw new Error(`no form ${id} in this release`)
  const find = (rule: string) => engine.config.document(`validation/${rule}`) as ValidationDoc | undefined
  const before = compiled.get(doc)
  if (before?.rules.every((rule) => find(rule.id) === rule)) return before.form
  const rules = new Set<ValidationDoc>()
  const form = compileForm(
    doc,
    (rule) => {
      const found = find(rule)
      if (found) rules.add(found)
      return found
    },
    engine.registry,
  )
  compiled.set(doc, { form, rules: [...rules] })
  return form
}

type Views = ReadonlyMap<string, View>
const loading = new WeakMap<CompiledForm<View>, Promise<Views>>()
const isLazy = (view: View): view is LazyView<View> => 'preload' in view

/** Views of all field widgets by what the fields call them: at once when they are here, so that no field waits by itself. */
export function viewsOf(form: CompiledForm<View>): Promise<Views> {
  const known = loading.get(form)
  if (known) return known
  const missing = form.fields.flatMap(({ widget }) => (widget && isLazy(widget.view) && !widget.view.ready() ? [widget.view] : []))
  const promise =
    missing.length === 0 ? here(collected(form)) : Promise.all(missing.map((view) => view.preload())).then(() => collected(form))
  loading.set(form, promise)
  promise.catch(() => loading.delete(form))
  return promise
}

function collected(form: CompiledForm<View>): Views {
  const views = new Map<string, View>()
  for (const { doc, widget } of form.fields) {
    const view = widget && isLazy(widget.view) ? widget.view.ready() : widget?.view
    if (view) views.set(doc.widget, view)
  }
  return views
}

/** A promise that React reads without waiting. */
const here = <T>(value: T): Promise<T> => Object.assign(Promise.resolve(value), { status: 'fulfilled', value })

/** Opens a form on the values of its screen. @param before the same form, before its document was replaced */
export function openForm(form: CompiledForm<View>, engine: Engine<View>, store: ScreenStore, before?: LiveForm<View>): LiveForm<View> {
  const { logged_in: loggedIn, uid = '' } = (store.get('session') ?? {}) as { logged_in?: boolean; uid?: string }
  // Whose it is must be known: until then nothing is kept, so that nobody else finds it.
  const unknown = loggedIn === true && uid === ''
  let letGo: (() => void) | undefined
  const world = {
    outer: store,
    say: engine.say,
    drafts: draftsOf(engine),
    draftKey: unknown ? null : draftKey(form.doc.id, uid, store.get('params') as Record<string, unknown>),
    onDirty: (dirty: boolean) => {
      letGo?.()
      letGo = dirty ? engine.hold('form') : undefined
    },
    wakeOutside: (topic: string) => store.topics.wake(topic),
  }
  return new LiveForm(form, world, before)
}
