import { codesOf, type WalletContext } from '#api-server/wallet/context.ts'
import { addressesMax, isAddress, maskAddress } from '#api-server/wallet/withdraw/address.rules.ts'
import type { Address } from '#api-server/wallet/withdraw/address.store.ts'
import { addressHoldMs } from '#api-server/wallet/withdraw/withdraw.rules.ts'
import type { fundingCalls } from '#contract/calls/funding.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import { codeProblem, destinationProblem, foldAddress, readTag, takesTag } from '#contract/rules/payment.rules.ts'
import { isUniqueViolation } from '#server-kit/db/db.ts'
import type { Handlers } from '#server-kit/http/http.ts'

type Calls = Pick<typeof fundingCalls, 'wallet.addAddress' | 'wallet.delAddress' | 'wallet.getAddressList'>

const rowOf = (row: Address, code: string) => ({
  id: row.id,
  currency_id: row.currency_id,
  currency_code: code,
  chain: row.chain,
  name: row.name,
  address: row.address,
  tag: row.tag,
  qrcode: row.qrcode,
  usable_from: row.usable_from,
  created: row.created_at,
})

/** Handlers of saved withdrawal addresses. */
export function addressHandlers({
  database,
  addresses,
  parameters,
  coins,
  custody,
  proofs,
  notices,
  clock,
  rowChanged,
}: WalletContext): Handlers<Calls> {
  return {
    'wallet.addAddress': async (input, caller) => {
      const { uid } = caller.user
      const coin = await coins.one(input.currency_id)
      const routes = (await parameters.routes(coin.code)).filter((row) => row.address_kind !== null)
      const route = input.chain === undefined ? routes[0] : routes.find((row) => row.route === input.chain)
      const kind = route?.address_kind
      if (!route || !kind) throw new ApiProblem('chain_unknown', { field: 'chain' })
      const refused = destinationProblem(input.address) ?? (isAddress(kind, input.address) ? undefined : 'wallet_address_wrong')
      if (refused) throw new ApiProblem(refused, { field: 'address' })
      if (await custody.isOurs(input.address, coin.code, route.route)) throw new ApiProblem('wallet_address_own', { field: 'address' })
      const tag = input.tag ? readTag(input.tag) : ''
      if (tag === undefined || (tag && !takesTag(kind))) throw new ApiProblem('wallet_tag_wrong', { field: 'tag' })
      const differs = codeProblem(input.qrcode, { kind, coin: coin.code, chain: route.route, address: input.address, tag })
      if (differs) throw new ApiProblem(differs, { field: differs === 'wallet_tag_wrong' ? 'tag' : 'qrcode' })
      await proofs.payPassword(caller, input.pay_password)
      const code = await proofs.code(caller, 'withdraw', input.code)
      await proofs.secondFactor(caller, input.totp)
      try {
        const row = await database.transaction(async (tx) => {
          await proofs.lock(tx, uid)
          if ((await addresses.count(tx, uid)) >= addressesMax) throw new ApiProblem('list_full')
          await code.use(tx)
          const created_at = clock.now()
          const row = await addresses.create(tx, {
            uid,
            currency_id: coin.id,
            chain: route.route,
            name: input.name,
            address: input.address,
            tag,
            qrcode: input.qrcode,
            folded: foldAddress(kind, input.address),
            usable_from: created_at + addressHoldMs,
            created_at,
          })
          await notices.notify(tx, uid, { kind: 'address_added', figures: { name: `${coin.code} ${maskAddress(row.address)}` } })
          return rowOf(row, coin.code)
        })
        rowChanged(uid, 'addresses', { change: 'insert', row })
        return row
      } catch (error) {
        if (isUniqueViolation(error)) throw new ApiProblem('wallet_address_taken', { field: 'address', cause: error })
        throw error
      }
    },
    'wallet.delAddress': async ({ address_id }, { user }) => {
      if (!(await addresses.remove(user.uid, address_id))) throw new ApiProblem('not_found', { field: 'address_id' })
      rowChanged(user.uid, 'addresses', { change: 'remove', row: { id: address_id } })
      return {}
    },
    'wallet.getAddressList': async ({ page, size, currency_id, chain }, { user }) => {
      const { rows, total } = await addresses.list(user.uid, { currency: currency_id, chain }, { page, size })
      const codes = await codesOf(coins)
      return { total, list: rows.map((row) => rowOf(row, codes(row.currency_id))) }
    },
  }
}
