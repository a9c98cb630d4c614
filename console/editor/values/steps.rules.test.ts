import { describe, expect, test } from 'vitest'
import { formOfStep, newStep, stepForms } from '#console/editor/values/steps.rules.ts'
import { metaSchemas } from '#language/documents/meta.ts'

const meta = metaSchemas().screen

describe('steps', () => {
  const forms = stepForms(meta)
  test('every kind of step has a form', () => {
    expect(forms.length).toBe(23)
    expect(forms[0]?.kind).toBe('go')
  })
  test.for([
    [{ go: 'pages/a' }, 'go'],
    [{ back: true }, 'back'],
    [{ call: 'a.b', as: 'done' }, 'call'],
    [{ upload: {}, as: 'x' }, 'upload'],
    [{ toast: { $t: 'a' }, tone: 'info' }, 'toast'],
    [{ nothing: 1 }, undefined],
    ['text', undefined],
  ] as const)('%j is %s', ([step, kind]) => {
    expect(formOfStep(step, forms)?.kind).toBe(kind)
  })
  test('a new step is what its form wants, and names the first that there is', () => {
    const fresh = (kind: string) => newStep(forms.find((one) => one.kind === kind)!, (of) => `first-${of}`)
    expect(fresh('go')).toEqual({ go: 'first-go' })
    expect(fresh('back')).toEqual({ back: true })
    expect(fresh('reset')).toEqual({ reset: 'form' })
    expect(fresh('toast')).toEqual({ toast: { $t: '' } })
    expect(fresh('call')).toEqual({ call: 'first-call' })
  })
})
