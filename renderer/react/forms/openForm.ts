import type { FormDoc, ValidationDoc } from '#language/documents/documents.ts'
import { type CompiledForm, compileForm } from '#renderer/core/forms/form.ts'
import { lazy } from '#renderer/core/lazy.ts'
import type { ScreenStore } from '#renderer/engine/store.ts'
import type { Engine } from '#renderer/engine/types.ts'
import { draftKey, draftsOf } from '#renderer/forms/drafts.ts'
import { LiveForm } from '#renderer/forms/forms.ts'
import type { LazyComponent, Loadable } from '#renderer/react/lazyComponent.tsx'
import type { View } from '#renderer/react/view.ts'

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
const views = new WeakMap<CompiledForm<View>, Loadable<Views>>()
const isLazy = (view: View): view is LazyComponent<View> => 'load' in view

/** Views of all field widgets by what the fields call them, fetched together, so that no field waits by itself. */
export function viewsOf(form: CompiledForm<View>): Loadable<Views> {
  let loadable = views.get(form)
  if (!loadable) views.set(form, (loadable = loadableViews(form)))
  return loadable
}

function loadableViews(form: CompiledForm<View>): Loadable<Views> {
  const lazies: Pick<Loadable<unknown>, 'ready' | 'load'>[] = fieldsOf(form).flatMap(({ widget }) =>
    widget && isLazy(widget.view) ? [widget.view] : [],
  )
  if (form.fields.some(({ cells }) => cells.length > 0)) lazies.push(rowsCode)
  if (form.pages.length > 0) lazies.push(pagesCode)
  let found: Views | undefined
  return {
    load: () => Promise.all(lazies.filter((part) => !part.ready()).map((part) => part.load())),
    ready: () => (found ??= lazies.every((part) => part.ready()) ? collected(form) : undefined),
  }
}

/** The code of rows, which most forms do not need. */
const rowsCode = lazy(async () => (await import('#renderer/forms/rows-field.ts')).RowsField)

/** The code of pages. */
export const pagesCode = lazy(async () => ({ Pages: (await import('#renderer/react/forms/FormPages.tsx')).Pages }))

/** All fields, with those of rows. */
const fieldsOf = ({ fields }: CompiledForm<View>) => fields.flatMap((field) => [field, ...field.cells])

function collected(form: CompiledForm<View>): Views {
  const found = new Map<string, View>()
  for (const { doc, widget } of fieldsOf(form)) {
    const view = widget && isLazy(widget.view) ? widget.view.ready() : widget?.view
    if (view) found.set(doc.widget, view)
  }
  return found
}

/** Opens a form on the values of its screen. @param before the same form, before its document was replaced */
export function openForm(form: CompiledForm<View>, engine: Engine<View>, store: ScreenStore, before?: LiveForm<View>): LiveForm<View> {
  const params = store.get('params') as Record<string, unknown>
  let letGo: (() => void) | undefined
  const world = {
    outer: store,
    say: engine.say,
    amount: (text: string) => engine.formats().amount(text),
    drafts: draftsOf(engine),
    draftKey: () => {
      const { logged_in: loggedIn, uid = '' } = (store.get('session') ?? {}) as { logged_in?: boolean; uid?: string }
      // The account must be known: until then nothing is kept, so that nobody else finds it.
      return loggedIn === true && uid === '' ? null : draftKey(form.doc.id, uid, params)
    },
    onDirty: (dirty: boolean) => {
      letGo?.()
      letGo = dirty ? engine.beginBusy('form') : undefined
    },
    wakeOutside: (topic: string) => store.topics.wake(topic),
    RowsField: rowsCode.ready(),
  }
  return new LiveForm(form, world, before)
}
