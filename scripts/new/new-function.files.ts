import { imports, type NewFile, type Registry } from '#scripts/new/new.files.ts'

/** Files of `npm run new:function`. Pure functions, which can be tested without a folder. */

/** Where functions are registered. */
export const registry: Registry = {
  file: 'contract/functions/registry.ts',
  list: 'functions',
  path: (name) => `#contract/functions/${name}.function.ts`,
  nameIn: /#contract\/functions\/([\w.]+)\.function\.ts/,
}

/**
 * Why a function may not have this name; undefined when it may.
 * @param existing names of existing functions
 * @param isName whether documents can write the name
 */
export function refusal(name: string, existing: readonly string[], isName: (name: string) => boolean): string | undefined {
  if (name === '') return 'a name is required, such as: npm run new:function trade.liquidationPrice'
  if (!isName(name))
    return `${name}: an area and a name with a dot between them, small letter first; the area is not a root such as data or form`
  if (name.length > 60) return `${name} is longer than 60 characters`
  if (existing.includes(name)) return `there is already a function ${name}`
  return undefined
}

/** `wallet.withdrawFee` becomes `walletWithdrawFee` in code. */
export const constantOf = (name: string): string => name.replace(/\.(.)/, (_, first: string) => first.toUpperCase())

/** A working function that marks what to change. */
export function filesOf(name: string): NewFile[] {
  return [
    {
      path: `contract/functions/${name}.function.ts`,
      text: `${imports(`Big from 'big.js'`, `{ defineFunction } from '#contract/functions/define.ts'`, `{ plain } from '#contract/money.ts'`)}

export const ${constantOf(name)} = defineFunction({
  name: '${name}',
  about: 'Says in one sentence what it computes, and how it rounds.',
  params: { amount: 'decimal', rate: 'decimal', scale: 'integer' },
  result: 'decimal',
  examples: [{ args: { amount: '10', rate: '0.125', scale: 2 }, gives: '1.25' }],
  run: ({ amount, rate, scale }) => plain(new Big(amount).times(rate).round(scale, Big.roundDown)),
})
`,
    },
  ]
}
