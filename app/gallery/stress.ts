import type { ChildDoc, FormDoc, NodeDoc, Value } from '#language/documents/documents.ts'
import type { JsonSchema, WidgetManifest } from '#language/types/catalog.ts'

export const wordings = ['written', 'long', 'cjk'] as const
export type Wording = (typeof wordings)[number]

/** Displayed members inside lists, for which the schema has no mark. */
const readable = new Set(['label', 'title', 'text', 'note', 'value', 'caption', 'message', 'html', 'hint', 'placeholder'])
const endings = ['verordnungs', 'einstellungs', 'übertragungs', 'bestätigungs', 'genehmigungs']
const signs = [...'可用余额与保证金的详细说明资产划转记录确认提交市场价格变动收益合约交易订单成交历史充值提现安全设置']
const letter = /\p{L}/u
const figure = /^[^\p{L}]*$/u

/** Simulates long words: doubles the length of texts without break opportunities. Numbers stay. */
export function lengthen(text: string): string {
  if (figure.test(text)) return text
  const words = text.split(' ')
  const grown: string[] = []
  for (let i = 0; i < words.length; i += 2) {
    const pair = [words[i] ?? '', words[i + 1] ?? ''].filter(Boolean)
    if (pair.some((word) => figure.test(word))) grown.push(...pair)
    else
      grown.push(
        `${pair.map((word, at) => (at > 0 ? word.toLowerCase() : word)).join('')}${endings[(text.length + i) % endings.length]}wesen`,
      )
  }
  return grown.join(' ')
}

/** Simulates East Asian text: each pair of letters becomes one character; numbers, spaces and punctuation stay. Deterministic. */
function inSigns(text: string): string {
  let at = text.length
  let half = false
  return [...text]
    .map((one) => {
      if (!letter.test(one)) return one
      half = !half
      return half ? signs[at++ % signs.length] : ''
    })
    .join('')
}

const change: Record<Wording, (text: string) => string> = { written: (text) => text, long: lengthen, cjk: inSigns }

/** The node with other texts, including the nodes inside it. */
export function reworded(node: NodeDoc, wording: Wording, find: (type: string) => WidgetManifest | undefined): NodeDoc {
  if (wording === 'written') return node
  const say = change[wording]
  const inner = (child: ChildDoc): ChildDoc => ('widget' in child ? reword(child) : child)
  const reword = (one: NodeDoc): NodeDoc => {
    const schema = (find(one.widget)?.props.properties ?? {}) as Record<string, JsonSchema>
    const props = Object.fromEntries(
      Object.entries(one.props ?? {}).map(([name, value]) => [name, inProp(value, schema[name]?.text === true, say)]),
    )
    return {
      ...one,
      props,
      ...(one.slots && { slots: Object.fromEntries(Object.entries(one.slots).map(([name, list]) => [name, list.map(inner)])) }),
    }
  }
  return reword(node)
}

/** A form document with other texts. */
export function rewordedForm(form: Partial<FormDoc>, wording: Wording): Partial<FormDoc> {
  return wording === 'written' ? form : (inProp(form as Value, false, change[wording]) as Partial<FormDoc>)
}

function inProp(value: Value, read: boolean, say: (text: string) => string): Value {
  if (typeof value === 'string') return read ? say(value) : value
  if (Array.isArray(value)) return value.map((one) => inProp(one, read, say))
  if (typeof value !== 'object' || value === null || '$' in value) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      typeof one === 'string' && readable.has(name) && !one.includes('<') ? say(one) : inProp(one, false, say),
    ]),
  )
}
